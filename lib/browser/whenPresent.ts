/** What shows that somebody is there, not only a page that was opened. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'focusin'] as const;

const OPTIONS = { capture: true, passive: true } as const;

/**
 * Calls back once, at the first sign of somebody at the page. For work that nobody needs who does
 * nothing, and that would keep the page from answering the first touch. Answers how to call it off.
 */
export function whenPresent(callback: () => void): () => void {
  const stop = () => {
    for (const sign of SIGNS) window.removeEventListener(sign, begin, OPTIONS);
  };
  const begin = () => {
    stop();
    callback();
  };
  for (const sign of SIGNS) window.addEventListener(sign, begin, OPTIONS);
  return stop;
}
