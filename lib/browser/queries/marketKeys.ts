import type { MarketStatus, PriceHistoryRange } from '#lib/api/schemas/market.ts';

export type MarketFilter = {
  status?: MarketStatus | 'all';
  limit?: number;
  tickers?: string[];
  eventTickers?: string[];
};

export const marketKeys = {
  all: ['markets'] as const,
  lists: ['markets', 'list'] as const,
  list: (filter: MarketFilter) => ['markets', 'list', filter] as const,
  detail: (ticker: string) => ['markets', 'detail', ticker] as const,
  events: ['markets', 'event'] as const,
  event: (eventTicker: string) => ['markets', 'event', eventTicker] as const,
  scores: (eventTickers: readonly string[]) => ['markets', 'scores', eventTickers] as const,
  trades: (ticker: string) => ['markets', 'trades', ticker] as const,
  orderBook: (ticker: string) => ['markets', 'orderbook', ticker] as const,
  terms: (ticker: string) => ['markets', 'terms', ticker] as const,
  priceHistory: (ticker: string, range: PriceHistoryRange) =>
    ['markets', 'price-history', ticker, range] as const,
};
