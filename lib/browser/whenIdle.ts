/** After this long it is not put off any further, however busy the page is. */
const LATEST_MS = 2_000;
/** What a browser without a notion of idleness waits. */
const UNKNOWN_MS = 200;

const SIGNS = ['pointerdown', 'keydown'] as const;

/**
 * Calls back once, when the browser has nothing better to do or the visitor does something. For
 * work that the first paint does not need. Answers how to call it off.
 * @param earliestMs how long the browser's idleness does not count: while answers are awaited it is
 *   idle, too, and yet what is asked then comes in their way
 */
export function whenIdle(callback: () => void, earliestMs = 0): () => void {
  let stopWaiting = () => {};
  const stop = () => {
    stopWaiting();
    for (const sign of SIGNS) window.removeEventListener(sign, begin, true);
  };
  const begin = () => {
    stop();
    callback();
  };
  const wait = () => {
    stopWaiting = untilIdle(begin);
  };
  if (earliestMs > 0) {
    const timer = window.setTimeout(wait, earliestMs);
    stopWaiting = () => clearTimeout(timer);
  } else wait();
  for (const sign of SIGNS) window.addEventListener(sign, begin, true);
  return stop;
}

function untilIdle(begin: () => void): () => void {
  if (typeof window.requestIdleCallback !== 'function') {
    const timer = window.setTimeout(begin, UNKNOWN_MS);
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(begin, { timeout: LATEST_MS });
  return () => cancelIdleCallback(waiting);
}
