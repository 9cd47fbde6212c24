import { queryOptions } from '@tanstack/react-query';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import type { ShardView } from '#lib/market/marketView.ts';

const SHARDS_FRESH_MS = 30_000;

/** The parts of the exchange; a page starts with those that came with it, if any. */
export function shardsQuery(client: TradingClient, initial: ShardView[] | undefined) {
  return queryOptions({
    queryKey: ['exchange-shards'] as const,
    queryFn: async ({ signal }): Promise<ShardView[]> => {
      const { exchange } = await client.getStatus({ signal });
      return exchange.shards;
    },
    initialData: initial,
    staleTime: SHARDS_FRESH_MS,
    refetchInterval: SHARDS_FRESH_MS,
  });
}

/** The state of each part of the service. */
export function statusQuery(client: TradingClient) {
  return queryOptions({
    queryKey: ['status'] as const,
    queryFn: ({ signal }) => client.getStatus({ signal }),
    refetchInterval: 5_000,
  });
}
