import { queryOptions } from '@tanstack/react-query';
import type { TradingClient } from '#lib/api/tradingClient.ts';

/** The interface's maximum. */
const MOST_TRADES = 1_000;

/**
 * All trades of a short round; its cursor is empty if these are all. Apart from the latest trades,
 * which each trade invalidates.
 */
export function roundTradesQuery(client: TradingClient, ticker: string) {
  return queryOptions({
    queryKey: ['markets', 'round-trades', ticker] as const,
    queryFn: ({ signal }) => client.listTrades(ticker, { limit: MOST_TRADES }, { signal }),
    refetchInterval: 10_000,
  });
}
