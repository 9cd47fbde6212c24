'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { Notice } from '#components/ui/Notice.tsx';
import { shardsQuery } from '#lib/browser/queries/status.ts';
import type { ShardView } from '#lib/market/marketView.ts';
import { shardName } from '#lib/market/shardName.ts';

/** The market's part of the exchange while it is paused. */
export function usePausedShard(shard: number, initial: ShardView[]): ShardView | undefined {
  const { api } = useApp();
  const { data } = useQuery(shardsQuery(api, initial));
  const own = data.find((one) => one.shard === shard);
  return own?.tradingActive === false ? own : undefined;
}

export function ShardPause({ shard }: { shard: ShardView }) {
  return (
    <Notice tone="caution" title={`Trading is paused in: ${shardName(shard)}`}>
      The exchange has paused this part of its markets. You can order again when it resumes.
    </Notice>
  );
}
