'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { shardsQuery } from '#lib/browser/queries/status.ts';
import type { ShardView } from '#lib/market/marketView.ts';

/** The market's part of the exchange while it is paused. */
export function usePausedShard(shard: number, initial: ShardView[]): ShardView | undefined {
  const { api } = useApp();
  const { data } = useQuery(shardsQuery(api, initial));
  const own = data.find((one) => one.shard === shard);
  return own?.tradingActive === false ? own : undefined;
}
