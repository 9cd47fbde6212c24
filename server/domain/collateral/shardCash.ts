import type { Exchange } from '#server/exchange/port.ts';
import type { ShardTarget } from '#server/platform/config/exchange.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache } from '#server/platform/timedCache.ts';
import { readCashInTransit } from './transferStore.ts';

/** Orders that wait share a reading of the balances. */
const BALANCES_HOLD_MS = 500;

/**
 * Whether a shard has the cash of an order; `awaited`: other shards have it, and the service
 * transfers cash between them.
 */
export type ShardCash = 'enough' | 'awaited' | 'lacking';

const balancesOf = memoizeByObject((exchange: Pick<Exchange, 'listBalances'>) =>
  createTimedCache(BALANCES_HOLD_MS, () => exchange.listBalances()),
);

export async function readShardCash(
  deps: {
    database: { orm: Queryable };
    exchange: Pick<Exchange, 'listBalances'>;
    shardTargets: readonly ShardTarget[];
  },
  { shard, needMicros }: { shard: number; needMicros: bigint },
): Promise<ShardCash> {
  const balances = await balancesOf(deps.exchange)('all');
  const own = balances.find((one) => one.shard === shard)?.balanceMicros ?? 0n;
  if (own >= needMicros) return 'enough';
  if (deps.shardTargets.length === 0) return 'lacking';
  const inTransit = await readCashInTransit(deps.database.orm);
  const totalMicros = balances.reduce((sum, one) => sum + one.balanceMicros, inTransit);
  return totalMicros >= needMicros ? 'awaited' : 'lacking';
}
