/** Number of last trades on a market's page: as many rows as the book beside them. */
export const SHOWN_TRADES = 13;
