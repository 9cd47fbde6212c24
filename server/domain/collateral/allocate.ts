import { listAlerts, raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import { listShardsOf } from '#server/domain/markets/catalogue/shardsOf.ts';
import {
  readOpenPurchases,
  readRecentPurchases,
} from '#server/domain/orders/lifecycle/shardDemand.ts';
import { ExchangeResponseError } from '#server/exchange/errors.ts';
import type { Exchange, ShardBalance } from '#server/exchange/port.ts';
import type { ShardTarget } from '#server/platform/config/exchange.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { decideTransfers, floorOf, type ShardDemand } from './decideTransfers.ts';
import { recordShards } from './shardStore.ts';
import {
  isTransferSendable,
  listKnownIds,
  listOpenTransfers,
  listRestingPairs,
  readLastChange,
  recordTransfer,
  type StoredTransfer,
  storeTransfer,
} from './transferStore.ts';
import { unfundedAlert } from './unfundedAlert.ts';

export type AllocationDeps = {
  database: Database;
  exchange: Exchange;
  log: Log;
  shardTargets: readonly ShardTarget[];
  /** Called between the side effects of a transfer. */
  checkpoint: (
    name: 'exchange.before_transfer' | 'exchange.transfer_permitted' | 'exchange.after_transfer',
  ) => void;
};

/** A transfer that is open for longer needs a person. */
const DELAYED_MS = 5 * 60_000;
/** The exchange may refuse what its balances seem to cover. */
const QUIET_MS = 30_000;

/**
 * One round: resolves open transfers, then stores and sends those that the shards need. A transfer
 * that this call did not store is only looked up, never sent.
 */
export async function allocateCollateral(deps: AllocationDeps): Promise<void> {
  const { database, exchange, shardTargets } = deps;
  for (const transfer of await listOpenTransfers(database.orm)) await follow(deps, transfer);
  const open = await listOpenTransfers(database.orm);
  const changedAt = await readLastChange(database.orm);
  const knownThrough = await exchange.getReadsKnownThrough();
  // Older balances would show the cash of a finished transfer where it came from.
  if (changedAt && changedAt > knownThrough) return;
  const [status, balances] = await Promise.all([exchange.getStatus(), exchange.listBalances()]);
  await recordShards(database.orm, status, balances);
  if (shardTargets.length === 0) return;
  const demand = await readDemand(database.orm);
  const wanted = decideTransfers({
    targets: shardTargets,
    balances,
    openTransfers: open.map((one) => ({ ...one, hasLeft: one.state === 'pending' })),
    demand,
    blockedShards: new Set(
      status.shards.filter((one) => !one.transfersActive).map(({ shard }) => shard),
    ),
    restingPairs: await listRestingPairs(database.orm),
  });
  await Promise.all(
    wanted.map(async (one) => {
      const stored = await storeTransfer(database.orm, one);
      if (stored) await send(deps, stored);
    }),
  );
  await resolveFunded(deps, balances, demand);
}

async function readDemand(db: Queryable): Promise<Map<number, ShardDemand>> {
  const [open, recent] = await Promise.all([readOpenPurchases(db), readRecentPurchases(db)]);
  const shards = await listShardsOf(db, [...open.keys()]);
  const demand = new Map<number, ShardDemand>();
  const of = (shard: number) => demand.get(shard) ?? { openMicros: 0n, recentMicros: 0n };
  for (const [shard, recentMicros] of recent) demand.set(shard, { ...of(shard), recentMicros });
  for (const [ticker, micros] of open) {
    const shard = shards.get(ticker) ?? 0;
    demand.set(shard, { ...of(shard), openMicros: of(shard).openMicros + micros });
  }
  return demand;
}

async function send(deps: AllocationDeps, transfer: StoredTransfer): Promise<void> {
  const { database, exchange, log } = deps;
  const { id, source, destination, amountMicros, storedAt } = transfer;
  deps.checkpoint('exchange.before_transfer');
  // A third of the tolerance covers the transit.
  const withinMs = Math.round((exchange.timing.toleranceMs * 2) / 3);
  const outcome = await exchange.transferCash({
    source,
    destination,
    amountMicros,
    storedAt,
    async mayBeSent() {
      const may = await isTransferSendable(database.orm, transfer, withinMs);
      deps.checkpoint('exchange.transfer_permitted');
      return may;
    },
  });
  deps.checkpoint('exchange.after_transfer');
  const details = { transfer: id, source, destination, amountMicros };
  switch (outcome.kind) {
    case 'accepted': {
      const { exchangeTransferId } = outcome;
      await recordTransfer(database.orm, transfer, { state: 'pending', exchangeTransferId });
      log.info(details, 'cash is transferred between shards');
      return;
    }
    case 'refused':
      await recordTransfer(database.orm, transfer, { state: 'failed', code: outcome.code });
      log.warn({ ...details, code: outcome.code }, 'the exchange refused a transfer');
      return;
    case 'unknown':
      await recordTransfer(database.orm, transfer, { state: 'unknown', code: outcome.code });
      log.warn({ ...details, code: outcome.code }, 'outcome of a transfer unknown');
      return;
  }
}

/** Finds out what became of an open transfer. */
async function follow(deps: AllocationDeps, transfer: StoredTransfer): Promise<void> {
  const isOver =
    transfer.exchangeTransferId === null
      ? await lookUp(deps, transfer)
      : await followPending(deps, transfer, transfer.exchangeTransferId);
  const alert = {
    kind: 'exchange_transfer_delayed',
    subject: `shard ${transfer.source} to ${transfer.destination}`,
  } as const;
  const isDelayed = Date.now() - transfer.storedAt.getTime() > DELAYED_MS;
  if (!isDelayed) return;
  if (isOver) await resolveAlert(deps, alert);
  else await raiseAlert(deps, { ...alert, internalDetail: `transfer ${transfer.id}` });
}

/** @returns whether the transfer has ended */
async function lookUp(
  { database, exchange, log }: AllocationDeps,
  transfer: StoredTransfer,
): Promise<boolean> {
  const known = await listKnownIds(database.orm, transfer);
  const found = await exchange.findTransfer({ ...transfer, isTaken: (id) => known.has(id) });
  if (found.kind === 'not_yet_known') return false;
  if (found.kind === 'absent') {
    log.warn({ transfer: transfer.id }, 'a transfer did not reach the exchange');
    await recordTransfer(database.orm, transfer, { state: 'failed', code: 'absent' });
    return true;
  }
  const { exchangeTransferId, isComplete } = found;
  const state = isComplete ? 'complete' : 'pending';
  await recordTransfer(database.orm, transfer, { state, exchangeTransferId });
  return isComplete;
}

/** @returns whether the transfer has ended */
async function followPending(
  { database, exchange }: AllocationDeps,
  transfer: StoredTransfer,
  exchangeTransferId: string,
): Promise<boolean> {
  const isComplete = await exchange
    .isTransferComplete(exchangeTransferId)
    .catch((error: unknown) => {
      // What the exchange has accepted may be listed late.
      if (error instanceof ExchangeResponseError && error.status === 404) return false;
      throw error;
    });
  if (isComplete) await recordTransfer(database.orm, transfer, { state: 'complete' });
  return isComplete;
}

/** A shard without a refusal for a while that has the cash of its orders and minimum is funded. */
async function resolveFunded(
  deps: AllocationDeps,
  balances: readonly ShardBalance[],
  demand: ReadonlyMap<number, ShardDemand>,
): Promise<void> {
  for (const { subject, lastSeenAt } of await listAlerts(deps, { kind: 'exchange_unfunded' })) {
    const funded = balances.find(({ shard }) => unfundedAlert(shard).subject === subject);
    if (!funded || Date.now() - lastSeenAt.getTime() < QUIET_MS) continue;
    const { shard, balanceMicros } = funded;
    const needMicros = floorOf(shard, { targets: deps.shardTargets, demand });
    if (balanceMicros > 0n && balanceMicros >= needMicros) {
      await resolveAlert(deps, unfundedAlert(shard));
    }
  }
}
