/**
 * A message about the whole page, as the header's last row: always visible and never covering
 * content.
 */
export const BANNER =
  'items-start justify-center gap-2.5 border-t bg-caution-soft px-4 py-2.5 text-14 text-caution';

/** The header's container for banners that need scripts. */
export const LIVE_BANNER_ID = 'live-banner';
