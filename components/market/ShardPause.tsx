import { Notice } from '#components/ui/Notice.tsx';
import type { ShardView } from '#lib/market/marketView.ts';
import { shardName } from '#lib/market/shardName.ts';

/** Says that the market's part of the exchange is paused. */
export function ShardPause({ shard }: { shard: ShardView }) {
  return (
    <Notice tone="caution" title={`Trading is paused in: ${shardName(shard)}`}>
      The exchange has paused this part of its markets. You can order again when it resumes.
    </Notice>
  );
}
