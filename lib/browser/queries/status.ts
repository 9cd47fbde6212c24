import { queryOptions } from '@tanstack/react-query';
import type { TradingClient } from '#lib/api/tradingClient.ts';

/** The state of each part of the service. */
export function statusQuery(client: TradingClient) {
  return queryOptions({
    queryKey: ['status'] as const,
    queryFn: ({ signal }) => client.getStatus({ signal }),
    refetchInterval: 5_000,
  });
}
