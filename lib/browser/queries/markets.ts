import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OrderBook, PriceHistoryRange } from '#lib/api/schemas/market.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { SHOWN_TRADES } from '#lib/market/marketPage.ts';
import { currentBooks } from '../live/currentBooks.ts';
import { pollEvery } from '../live/liveStatus.ts';
import { type MarketFilter, marketKeys } from './marketKeys.ts';

export function marketListQuery(client: TradingClient, filter: MarketFilter = {}) {
  return queryOptions({
    queryKey: marketKeys.list(filter),
    queryFn: ({ signal }) => client.listMarkets(filter, { signal }),
    refetchInterval: () => pollEvery(5_000, 60_000),
    placeholderData: keepPreviousData,
  });
}

/** The first events that match the typed text, one of each series. */
export function searchQuery(client: TradingClient, query: string) {
  return queryOptions({
    queryKey: ['markets', 'search', query] as const,
    queryFn: ({ signal }) => client.search({ query, page_size: 6, group_by: 'series' }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 15_000,
  });
}

export function marketQuery(client: TradingClient, ticker: string) {
  return queryOptions({
    queryKey: marketKeys.detail(ticker),
    queryFn: ({ signal }) => client.getMarket(ticker, { signal }),
    refetchInterval: () => pollEvery(3_000, 30_000),
  });
}

export function eventQuery(client: TradingClient, eventTicker: string) {
  return queryOptions({
    queryKey: marketKeys.event(eventTicker),
    queryFn: ({ signal }) => client.getEvent(eventTicker, { signal }),
    refetchInterval: () => pollEvery(5_000, 60_000),
  });
}

const SCORE_MS = 5_000;
const NO_SCORE_MS = 30_000;

/** The scores of games that these events are about; rarely while there are none. */
export function scoresQuery(client: TradingClient, eventTickers: readonly string[]) {
  return queryOptions({
    queryKey: marketKeys.scores(eventTickers),
    queryFn: ({ signal }) => client.listScores(eventTickers, { signal }),
    refetchInterval: ({ state }) => (state.data?.scores.length ? SCORE_MS : NO_SCORE_MS),
  });
}

export function orderBookQuery(client: TradingClient, ticker: string) {
  return queryOptions({
    queryKey: marketKeys.orderBook(ticker),
    queryFn: async ({ signal, client: cache }) => {
      const live = () =>
        currentBooks.has(ticker)
          ? cache.getQueryData<OrderBook>(marketKeys.orderBook(ticker))
          : undefined;
      const known = live();
      if (known) return known;
      const polled = await client.getOrderBook(ticker, { signal });
      // A live book that came meanwhile is newer.
      return live() ?? polled;
    },
    refetchInterval: () => (currentBooks.has(ticker) ? 30_000 : 3_000),
  });
}

/** Ticks and fee; they change rarely, and the service checks them again. */
export function marketTermsQuery(client: TradingClient, ticker: string) {
  return queryOptions({
    queryKey: marketKeys.terms(ticker),
    queryFn: ({ signal }) => client.getMarketTerms(ticker, { signal }),
    staleTime: 60_000,
    refetchInterval: 60_000,
  });
}

export function tradesQuery(client: TradingClient, ticker: string) {
  return queryOptions({
    queryKey: marketKeys.trades(ticker),
    queryFn: ({ signal }) => client.listTrades(ticker, { limit: SHOWN_TRADES }, { signal }),
    refetchInterval: () => pollEvery(5_000, 15_000),
  });
}

export function priceHistoryQuery(client: TradingClient, ticker: string, range: PriceHistoryRange) {
  return queryOptions({
    queryKey: marketKeys.priceHistory(ticker, range),
    queryFn: ({ signal }) => client.getPriceHistory(ticker, { range }, { signal }),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  });
}
