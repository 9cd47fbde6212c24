import { formatMicros } from '#lib/money.ts';
import { listShardCash } from '#server/domain/collateral/shardStore.ts';
import { listOpenTransfers } from '#server/domain/collateral/transferStore.ts';
import type { Database } from '#server/platform/database/client.ts';
import { bold } from '../terminal.ts';
import type { Reply } from './command.ts';

const iso = (date: Date) => date.toISOString();

/** The cash of each shard, and open transfers between them. */
export async function showShards({ database }: { database: Database }): Promise<Reply> {
  const [shards, transfers] = [
    await listShardCash(database.orm),
    await listOpenTransfers(database.orm),
  ];
  const lines = [
    ...shards.map(
      (one) =>
        `${bold(`shard ${one.shard}`)} ${one.name}  ${formatMicros(one.balanceMicros)} USDC, ` +
        `${formatMicros(one.arrivingMicros)} arriving` +
        `${one.tradingActive ? '' : ', trading paused'}, read at ${iso(one.readAt)}`,
    ),
    ...transfers.map(
      (one) =>
        `transfer ${one.id}  ${formatMicros(one.amountMicros)} USDC from shard ${one.source} ` +
        `to ${one.destination}, ${one.state} since ${iso(one.storedAt)}`,
    ),
  ];
  const data = {
    shards: shards.map(({ balanceMicros, arrivingMicros, ...shard }) => ({
      ...shard,
      balanceMicros: balanceMicros.toString(),
      arrivingMicros: arrivingMicros.toString(),
    })),
    transfers: transfers.map((one) => ({ ...one, amountMicros: one.amountMicros.toString() })),
  };
  return { data, lines: lines.length > 0 ? lines : ['No shard has been read yet.'] };
}
