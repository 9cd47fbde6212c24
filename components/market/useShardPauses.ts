'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { shardsQuery } from '#lib/browser/queries/status.ts';
import type { MarketView, ShardView } from '#lib/market/marketView.ts';

type Shared = Pick<MarketView, 'shard' | 'status'>;

/**
 * The pauses of the exchange's parts, which the exchange does not report as pauses of their markets.
 * @param initial what came with the page, if anything
 */
export function useShardPauses(initial?: ShardView[]) {
  const { api } = useApp();
  const { data } = useQuery(shardsQuery(api, initial));
  /** The market's part of the exchange while only that is paused. */
  const pausedShardOf = ({ shard, status }: Shared): ShardView | undefined =>
    status === 'open' ? data?.find((one) => one.shard === shard && !one.tradingActive) : undefined;
  const withPause = <M extends Shared>(market: M): M =>
    pausedShardOf(market) ? { ...market, status: 'paused' } : market;
  return { pausedShardOf, withPause };
}
