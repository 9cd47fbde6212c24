/** The style of an inactive button that keeps the focus (`aria-disabled`). */
export const ARIA_DISABLED_STYLE =
  'aria-disabled:cursor-default aria-disabled:bg-sunken aria-disabled:text-ink-3 aria-disabled:opacity-100';
