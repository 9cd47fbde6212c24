/** How many items of each kind an account keeps; beyond that, the oldest are dropped. */
export const SAVED_LIMITS = {
  watchlist: 50,
  view: 12,
  contact: 200,
  recipient: 8,
  preference: 20,
} as const;

/** How many changes one request carries. */
export const MOST_SAVED_CHANGES = 300;
