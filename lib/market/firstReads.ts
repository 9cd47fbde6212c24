import type {
  MarketAnswer,
  OrderBook,
  PriceHistory,
  PriceHistoryRange,
  TradeList,
} from '#lib/api/schemas/market.ts';

/** How many of the last trades the page of a market shows: beside the book, as many rows as it has. */
export const SHOWN_TRADES = 13;
/** How far back the chart of a market goes at first. */
export const FIRST_RANGE: PriceHistoryRange = '1d';

/**
 * What the page of a market would ask /v1 for as soon as it is there, answered along with the page.
 * What the server did not have at hand is left out, and the page asks for it.
 */
export type FirstReads = {
  atMs: number;
  market: MarketAnswer;
  orderBook?: OrderBook | undefined;
  trades?: TradeList | undefined;
  priceHistory?: PriceHistory | undefined;
};
