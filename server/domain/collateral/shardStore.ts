import { asc, sql } from 'drizzle-orm';
import type { ExchangeStatus, ShardBalance } from '#server/exchange/port.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { exchangeShards } from '#server/platform/database/schema/collateral.ts';
import { listOpenTransfers } from './transferStore.ts';

export type StoredShard = typeof exchangeShards.$inferSelect;

/** Stores what the exchange reports, for processes that do not ask it themselves. */
export async function recordShards(
  db: Queryable,
  { shards, exchangeActive, tradingActive }: ExchangeStatus,
  balances: readonly ShardBalance[],
): Promise<void> {
  const rows = balances.map(({ shard, balanceMicros }) => {
    const named = shards.find((one) => one.shard === shard);
    return {
      shard,
      name: named?.name ?? '',
      balanceMicros,
      tradingActive: named?.tradingActive ?? (exchangeActive && tradingActive),
      transfersActive: named?.transfersActive ?? exchangeActive,
      readAt: sql`now()`,
    };
  });
  const excluded = (column: string) => sql.raw(`excluded.${column}`);
  await db
    .insert(exchangeShards)
    .values(rows)
    .onConflictDoUpdate({
      target: exchangeShards.shard,
      set: {
        name: excluded('name'),
        balanceMicros: excluded('balance_micros'),
        tradingActive: excluded('trading_active'),
        transfersActive: excluded('transfers_active'),
        readAt: excluded('read_at'),
      },
    });
}

/** The shards, with the cash that is on its way to each. */
export async function listShardCash(
  db: Queryable,
): Promise<(StoredShard & { arrivingMicros: bigint })[]> {
  const [shards, open] = await Promise.all([listShards(db), listOpenTransfers(db)]);
  return shards.map((shard) => ({
    ...shard,
    arrivingMicros: open
      .filter(({ destination }) => destination === shard.shard)
      .reduce((sum, { amountMicros }) => sum + amountMicros, 0n),
  }));
}

export async function listShards(db: Queryable): Promise<StoredShard[]> {
  return await db.select().from(exchangeShards).orderBy(asc(exchangeShards.shard));
}
