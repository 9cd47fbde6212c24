declare global {
  interface Window {
    crossbookEarlyTap?: string;
  }
}

/** Marks a button whose press counts though the page has not come to life yet; its value is kept. */
export const EARLY_TAP = 'data-early-tap';

/** Keeps the last press of such a button; part of the inline script. */
export const KEEP_EARLY_TAP = [
  'addEventListener("click",function(e){',
  `var b=e.target.closest?.("[${EARLY_TAP}]");`,
  `if(b)window.crossbookEarlyTap=b.getAttribute("${EARLY_TAP}")`,
  '},true);',
].join('');

/** What was pressed and not yet answered; it is answered by this. */
export function takeEarlyTap(): string | undefined {
  const tap = window.crossbookEarlyTap;
  delete window.crossbookEarlyTap;
  return tap;
}
