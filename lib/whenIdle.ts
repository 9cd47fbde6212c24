/** After this long it is not put off any further, however busy the page is. */
const LATEST_MS = 2_000;
/** What a browser without a notion of idleness waits. */
const UNKNOWN_MS = 200;

const SIGNS = ['pointerdown', 'keydown'] as const;

/**
 * Calls back once, when the browser has nothing better to do or the visitor does something. For
 * work that the first paint does not need. Answers how to call it off.
 */
export function whenIdle(callback: () => void): () => void {
  const isTold = typeof window.requestIdleCallback === 'function';
  const stop = () => {
    if (isTold) cancelIdleCallback(waiting);
    else clearTimeout(waiting);
    for (const sign of SIGNS) window.removeEventListener(sign, begin, true);
  };
  const begin = () => {
    stop();
    callback();
  };
  const waiting = isTold
    ? requestIdleCallback(begin, { timeout: LATEST_MS })
    : window.setTimeout(begin, UNKNOWN_MS);
  for (const sign of SIGNS) window.addEventListener(sign, begin, true);
  return stop;
}
