/** A word about the whole page, as the header's last row: it stays in sight and covers nothing. */
export const BANNER =
  'items-start justify-center gap-2.5 border-t bg-caution-soft px-4 py-2.5 text-14 text-caution';

/** Where the header has room for what only scripts can tell. */
export const LIVE_BANNER_ID = 'live-banner';
