export const SHARE_ICON_BUTTON =
  'grid size-11 place-items-center rounded-md text-ink-3 hover:bg-sunken hover:text-ink md:size-8';
