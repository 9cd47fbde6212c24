import type { PriceHistoryRange } from '#lib/api/schemas/market.ts';

/** How many of the last trades the page of a market shows: beside the book, as many rows as it has. */
export const SHOWN_TRADES = 13;
/** How far back the chart of a market goes at first. */
export const FIRST_RANGE: PriceHistoryRange = '1d';
