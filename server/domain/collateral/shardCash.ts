import type { Exchange, ShardBalance } from '#server/exchange/port.ts';
import type { ShardTarget } from '#server/platform/config/exchange.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache } from '#server/platform/timedCache.ts';
import { listShards } from './shardStore.ts';
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
  const [balances, inTransitMicros] = await Promise.all([
    balancesOf(deps.exchange)('all'),
    readCashInTransit(deps.database.orm),
  ]);
  const isAllocated = deps.shardTargets.length > 0;
  return shardCashOf({ balances, inTransitMicros, isAllocated }, { shard, needMicros });
}

export type CashFacts = {
  balances: readonly ShardBalance[];
  /** Between shards. */
  inTransitMicros: bigint;
  /** Whether the service transfers cash between shards. */
  isAllocated: boolean;
};

export function shardCashOf(
  { balances, inTransitMicros, isAllocated }: CashFacts,
  { shard, needMicros }: { shard: number; needMicros: bigint },
): ShardCash {
  const own = balances.find((one) => one.shard === shard)?.balanceMicros ?? 0n;
  if (own >= needMicros) return 'enough';
  if (!isAllocated) return 'lacking';
  const totalMicros = balances.reduce((sum, one) => sum + one.balanceMicros, inTransitMicros);
  return totalMicros >= needMicros ? 'awaited' : 'lacking';
}

/**
 * What the processors have last read of the cash, without a request to the exchange; undefined
 * before the first time.
 */
export async function readStoredCash(deps: {
  database: { orm: Queryable };
  shardTargets: readonly ShardTarget[];
}): Promise<CashFacts | undefined> {
  const [balances, inTransitMicros] = await Promise.all([
    listShards(deps.database.orm),
    readCashInTransit(deps.database.orm),
  ]);
  if (balances.length === 0) return undefined;
  return { balances, inTransitMicros, isAllocated: deps.shardTargets.length > 0 };
}
