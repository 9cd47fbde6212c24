import { queryOptions } from '@tanstack/react-query';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { accountKeys } from './account.ts';

/** More than a chart can show distinctly. */
const MOST_TRADES = 100;

/** The trades of an account in one market, newest first. */
export function ownTradesQuery(client: TradingClient, address: string, marketId: string) {
  return queryOptions({
    queryKey: [...accountKeys.detail(address), 'trades', marketId] as const,
    queryFn: ({ signal }) =>
      client.listActivity({ address, marketId, limit: MOST_TRADES }, { signal }),
  });
}
