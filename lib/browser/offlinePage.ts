import { whenIdle } from './whenIdle.ts';

/** Nobody is without a network in the first moments of a page that has just come over it. */
const NOT_BEFORE_MS = 3_000;

/**
 * Has the browser keep a page for when there is no network, once it has nothing else to do: starting
 * the worker takes as much of a small machine as drawing the page. Where that is refused, nothing is
 * lost. Answers how to call it off.
 */
export function keepOfflinePage(): (() => void) | undefined {
  if (process.env.NODE_ENV !== 'production' || !('serviceWorker' in navigator)) return undefined;
  let stopWaiting: (() => void) | undefined;
  const timer = setTimeout(() => {
    stopWaiting = whenIdle(() => {
      navigator.serviceWorker.register('/sw.js').catch(() => undefined);
    });
  }, NOT_BEFORE_MS);
  return () => {
    clearTimeout(timer);
    stopWaiting?.();
  };
}
