/** The looks of a button that does nothing now, and keeps the focus all the same (`aria-disabled`). */
export const ARIA_DISABLED_STYLE =
  'aria-disabled:cursor-default aria-disabled:bg-sunken aria-disabled:text-ink-3 aria-disabled:opacity-100';
