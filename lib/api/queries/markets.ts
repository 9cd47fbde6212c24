import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CrossbookClient } from '../client.ts';
import type { OutcomeSide } from '../schemas/common.ts';
import type { MarketStatus, PriceHistoryRange } from '../schemas/market.ts';
import type { TradeAction } from '../schemas/quote.ts';
import type { SearchQuery } from '../schemas/search.ts';

export type MarketFilter = {
  status?: MarketStatus;
  limit?: number;
  tickers?: string[];
  eventTickers?: string[];
};

export const marketKeys = {
  all: ['markets'] as const,
  list: (filter: MarketFilter) => ['markets', 'list', filter] as const,
  detail: (ticker: string) => ['markets', 'detail', ticker] as const,
  event: (eventTicker: string) => ['markets', 'event', eventTicker] as const,
  orderBook: (ticker: string) => ['markets', 'orderbook', ticker] as const,
  trades: (ticker: string) => ['markets', 'trades', ticker] as const,
  priceHistory: (ticker: string, range: PriceHistoryRange) =>
    ['markets', 'price-history', ticker, range] as const,
  quote: (input: QuoteInput) => ['markets', 'quote', input] as const,
  search: (query: Partial<SearchQuery>) => ['markets', 'search', query] as const,
};

export type QuoteInput = {
  ticker: string;
  side: OutcomeSide;
  action: TradeAction;
  /** Decimal string such as "12.5". */
  contracts: string;
};

export function marketListQuery(client: CrossbookClient, filter: MarketFilter = {}) {
  return queryOptions({
    queryKey: marketKeys.list(filter),
    queryFn: ({ signal }) => client.listMarkets(filter, { signal }),
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
  });
}

export function marketPagesQuery(client: CrossbookClient, filter: MarketFilter = {}) {
  return infiniteQueryOptions({
    queryKey: [...marketKeys.list(filter), 'pages'] as const,
    queryFn: ({ signal, pageParam }) =>
      client.listMarkets(
        { ...filter, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last.cursor === '' ? undefined : last.cursor),
  });
}

export function marketQuery(client: CrossbookClient, ticker: string) {
  return queryOptions({
    queryKey: marketKeys.detail(ticker),
    queryFn: ({ signal }) => client.getMarket(ticker, { signal }),
    refetchInterval: 3_000,
  });
}

export function eventQuery(client: CrossbookClient, eventTicker: string) {
  return queryOptions({
    queryKey: marketKeys.event(eventTicker),
    queryFn: ({ signal }) => client.getEvent(eventTicker, { signal }),
    refetchInterval: 5_000,
  });
}

export function orderBookQuery(client: CrossbookClient, ticker: string) {
  return queryOptions({
    queryKey: marketKeys.orderBook(ticker),
    queryFn: ({ signal }) => client.getOrderBook(ticker, { signal }),
    refetchInterval: 3_000,
  });
}

export function tradesQuery(client: CrossbookClient, ticker: string) {
  return queryOptions({
    queryKey: marketKeys.trades(ticker),
    queryFn: ({ signal }) => client.listTrades(ticker, { limit: 50 }, { signal }),
    refetchInterval: 5_000,
  });
}

export function priceHistoryQuery(
  client: CrossbookClient,
  ticker: string,
  range: PriceHistoryRange,
) {
  return queryOptions({
    queryKey: marketKeys.priceHistory(ticker, range),
    queryFn: ({ signal }) => client.getPriceHistory(ticker, { range }, { signal }),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  });
}

/** Kept on screen while the next one loads, so that typing does not make the numbers jump. */
export function quoteQuery(client: CrossbookClient, input: QuoteInput) {
  return queryOptions({
    queryKey: marketKeys.quote(input),
    queryFn: ({ signal }) =>
      client.getQuote(
        input.ticker,
        { side: input.side, action: input.action, contracts: input.contracts },
        { signal },
      ),
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
}

export function searchQuery(client: CrossbookClient, query: Partial<SearchQuery>) {
  return queryOptions({
    queryKey: marketKeys.search(query),
    queryFn: ({ signal }) => client.search(query, { signal }),
    placeholderData: keepPreviousData,
  });
}
