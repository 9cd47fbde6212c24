import type { PriceHistoryRange } from '#lib/api/schemas/market.ts';

/** Number of last trades on a market's page: as many rows as the book beside them. */
export const SHOWN_TRADES = 13;
/** The initial range of a market's chart. */
export const FIRST_RANGE: PriceHistoryRange = '1d';
