import { randomUUID } from 'node:crypto';
import type { Account } from './ledger.ts';
import { badShard, decode, encode, Refusal } from './order.ts';
import { saveAccount } from './persistence.ts';
import { freeCash, isShard, purseOf, stateOfShard } from './shards.ts';
import type { Exchange } from './state.ts';

/** Cash on its way from one shard to another: it leaves at once and arrives later. */
export type ShardTransfer = {
  transferId: string;
  accountId: string;
  source: number;
  destination: number;
  amountMicros: bigint;
  status: 'pending' | 'complete';
  createdAt: number;
  arrivesAt: number;
};

type Row = { body: string };

/**
 * Takes the cash from the source. The real interface knows no client id of a transfer: the same
 * request twice moves cash twice. @throws {Refusal} when nothing happened
 */
export function startTransfer(
  exchange: Exchange,
  account: Account,
  request: Pick<ShardTransfer, 'source' | 'destination' | 'amountMicros'>,
): ShardTransfer {
  const { source, destination, amountMicros } = request;
  for (const shard of [source, destination]) {
    if (!isShard(shard)) throw badShard(shard);
    if (!stateOfShard(exchange, shard).transfersActive) {
      throw new Refusal(409, 'exchange_is_paused', `Transfers of shard ${shard} are paused`);
    }
  }
  if (source === destination) {
    throw new Refusal(400, 'invalid_parameters', 'source and destination are the same');
  }
  const purse = purseOf(account, source);
  if (amountMicros > freeCash(purse)) {
    throw new Refusal(400, 'insufficient_balance', 'The balance does not cover this transfer');
  }
  const createdAt = exchange.clock.now();
  const transfer: ShardTransfer = {
    ...request,
    transferId: randomUUID(),
    accountId: account.id,
    status: 'pending',
    createdAt,
    arrivesAt: createdAt + exchange.faults.transferLatencyMs,
  };
  purse.balanceMicros -= amountMicros;
  saveAccount(exchange, account);
  saveTransfer(exchange, transfer);
  exchange.pendingTransfers.set(transfer.transferId, transfer);
  return transfer;
}

/** Credits what has arrived; a paused destination is credited once it takes transfers again. */
export function finishTransfers(exchange: Exchange): void {
  const now = exchange.clock.now();
  for (const transfer of exchange.pendingTransfers.values()) {
    const account = exchange.accounts.get(transfer.accountId);
    if (!account || transfer.arrivesAt > now) continue;
    if (!stateOfShard(exchange, transfer.destination).transfersActive) continue;
    purseOf(account, transfer.destination).balanceMicros += transfer.amountMicros;
    transfer.status = 'complete';
    exchange.pendingTransfers.delete(transfer.transferId);
    saveAccount(exchange, account);
    saveTransfer(exchange, transfer);
  }
}

export function loadPendingTransfers(exchange: Exchange): void {
  const rows = exchange.store.all<Row>(
    `select body from shard_transfers where status = 'pending' order by created_at`,
  );
  for (const { body } of rows) {
    const transfer = decode<ShardTransfer>(body);
    exchange.pendingTransfers.set(transfer.transferId, transfer);
  }
}

/** Of all accounts, since the first start. */
export function countTransfers(exchange: Exchange): number {
  const [row] = exchange.store.all<{ made: bigint }>(
    'select count(*) as made from shard_transfers',
  );
  return Number(row?.made ?? 0);
}

/** Newest first, up to the read lag. */
export function listShardTransfers(
  exchange: Exchange,
  account: Account,
  page: { limit: number; offset: number },
): ShardTransfer[] {
  return exchange.store
    .all<Row>(
      `select body from shard_transfers where account_id = ? and created_at <= ?
       order by created_at desc, transfer_id limit ? offset ?`,
      account.id,
      Math.ceil(exchange.clock.now() - exchange.faults.readLagMs),
      page.limit,
      page.offset,
    )
    .map(({ body }) => decode<ShardTransfer>(body));
}

export function findShardTransfer(
  exchange: Exchange,
  account: Account,
  transferId: string,
): ShardTransfer | undefined {
  const [row] = exchange.store.all<Row>(
    'select body from shard_transfers where transfer_id = ? and account_id = ?',
    transferId,
    account.id,
  );
  return row && decode<ShardTransfer>(row.body);
}

function saveTransfer(exchange: Exchange, transfer: ShardTransfer): void {
  exchange.store.run(
    `insert into shard_transfers values (?, ?, ?, ?, ?)
     on conflict (transfer_id) do update set status = excluded.status, body = excluded.body`,
    transfer.transferId,
    transfer.accountId,
    transfer.status,
    Math.floor(transfer.createdAt),
    encode(transfer),
  );
}
