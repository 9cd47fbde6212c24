import { infiniteQueryOptions } from '@tanstack/react-query';
import type { ActivityQuery } from '#lib/api/schemas/activity.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { accountKeys } from './account.ts';

export type ActivityAsk = Pick<ActivityQuery, 'address'> &
  Partial<Pick<ActivityQuery, 'type' | 'status' | 'from'>>;

/** All deposits, withdrawals and trades, newest first, page by page. */
export function activityQuery(client: TradingClient, ask: ActivityAsk) {
  return infiniteQueryOptions({
    queryKey: [
      ...accountKeys.detail(ask.address),
      'activity',
      ask.type,
      ask.status,
      ask.from,
    ] as const,
    queryFn: ({ signal, pageParam }) =>
      client.listActivity(
        { ...ask, limit: 30, ...(pageParam !== '' && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.cursor || undefined,
    refetchInterval: 10_000,
  });
}
