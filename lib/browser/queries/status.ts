import { queryOptions } from '@tanstack/react-query';
import type { TradingClient } from '#lib/api/tradingClient.ts';

/** How the parts of the service are. */
export function statusQuery(client: TradingClient) {
  return queryOptions({
    queryKey: ['status'] as const,
    queryFn: ({ signal }) => client.getStatus({ signal }),
    refetchInterval: 5_000,
  });
}
