import { randomUUID } from 'node:crypto';
import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { Log as ChainLog, Hex } from 'viem';
import type { Chain } from '#server/chain/client.ts';
import { readTokenTransfers, readVaultEvents } from '#server/chain/vaultLogs.ts';
import type { Database, Queryable } from '#server/db/client.ts';
import {
  chainCursors,
  chainTransactions,
  tokenTransfers,
  vaultEvents,
} from '#server/db/schema/chain.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { Log } from '#server/log.ts';
import type { OrderQueue } from '#server/orders/queue.ts';
import { pause } from './pause.ts';
import { wakeOrder } from './signers/resolveTransaction.ts';

type WatcherDeps = {
  database: Database;
  chain: Chain;
  queue: OrderQueue;
  log: Log;
};

const CURSOR = 'contracts';
const LEASE_SECONDS = 4;
const POLL_MS = 250;
const ERROR_PAUSE_MS = 2_000;
/** Blocks per question, within what public nodes answer. */
const MAX_RANGE = 1_000n;
/** How far back to read again when the chain no longer knows the block we stopped at. */
const REWIND_BLOCKS = 64n;

/**
 * Reads the contracts' logs in order, from the block where it stopped, whoever sent the
 * transactions, and wakes the intents they are about. One process at a time does it.
 */
export async function watchChain(deps: WatcherDeps, signal: AbortSignal): Promise<void> {
  const token = randomUUID();
  const seen: Seen = { blockHash: '' };
  while (!signal.aborted) {
    try {
      const more = await readOnce(deps, token, seen);
      if (!more) await pause(POLL_MS, signal);
    } catch (error) {
      deps.log.error({ err: error }, 'chain watcher stumbled');
      await pause(ERROR_PAUSE_MS, signal);
    }
  }
}

/** The newest block this process has read up to: while it stays the newest there is nothing to do. */
type Seen = { blockHash: string };

async function readOnce(deps: WatcherDeps, token: string, seen: Seen): Promise<boolean> {
  const latest = await deps.chain.client.getBlock({ blockTag: 'latest' });
  if (latest.hash === seen.blockHash) return false;
  const cursor = await holdCursor(deps.database, token);
  if (!cursor) return false;
  const more = await readFrom(deps, token, cursor, latest.number);
  if (!more) seen.blockHash = latest.hash;
  return more;
}

async function readFrom(
  deps: WatcherDeps,
  token: string,
  cursor: { blockNumber: bigint; blockHash: string },
  latest: bigint,
): Promise<boolean> {
  const head = latest - BigInt(deps.chain.confirmations - 1);
  if (head < cursor.blockNumber || !(await isStillOnChain(deps.chain, cursor))) {
    await rewind(deps, token, cursor.blockNumber, head);
    return true;
  }
  if (head === cursor.blockNumber) return false;
  const fromBlock = cursor.blockNumber + 1n;
  const toBlock = head - fromBlock >= MAX_RANGE ? fromBlock + MAX_RANGE - 1n : head;
  const [logs, end] = await Promise.all([
    deps.chain.client.getLogs({
      address: [deps.chain.contracts.swapVault, deps.chain.contracts.outcomeToken],
      fromBlock,
      toBlock,
    }),
    deps.chain.client.getBlock({ blockNumber: toBlock }),
  ]);
  await deps.database.orm.transaction(async (tx) => {
    await moveCursor(tx, token, toBlock, end.hash);
    await storeLogs(deps, tx, logs);
  });
  return toBlock < head;
}

async function storeLogs(deps: WatcherDeps, tx: Queryable, logs: ChainLog[]): Promise<void> {
  const transfers = readTokenTransfers(deps.chain.contracts.outcomeToken, logs);
  if (transfers.length > 0) await tx.insert(tokenTransfers).values(transfers).onConflictDoNothing();
  const events = readVaultEvents(deps.chain.contracts.swapVault, logs);
  if (events.length === 0) return;
  await tx.insert(vaultEvents).values(events).onConflictDoNothing();
  const touched = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        inArray(
          orders.chainOrderId,
          events.map((event) => event.chainOrderId),
        ),
        eq(orders.isComplete, false),
      ),
    );
  for (const order of touched) await wakeOrder(tx, deps.queue, order.id);
}

async function holdCursor(database: Database, token: string) {
  await database.orm
    .insert(chainCursors)
    .values({ name: CURSOR, blockNumber: 0n, blockHash: '', updatedAt: sql`now()` })
    .onConflictDoNothing();
  const [cursor] = await database.orm
    .update(chainCursors)
    .set({
      leaseToken: token,
      leaseUntil: sql`now() + ${LEASE_SECONDS} * interval '1 second'`,
    })
    .where(
      and(
        eq(chainCursors.name, CURSOR),
        or(
          isNull(chainCursors.leaseUntil),
          eq(chainCursors.leaseToken, token),
          lt(chainCursors.leaseUntil, sql`now()`),
        ),
      ),
    )
    .returning();
  return cursor;
}

async function moveCursor(
  tx: Queryable,
  token: string,
  blockNumber: bigint,
  blockHash: string,
): Promise<void> {
  const moved = await tx
    .update(chainCursors)
    .set({ blockNumber, blockHash, updatedAt: sql`now()` })
    .where(and(eq(chainCursors.name, CURSOR), eq(chainCursors.leaseToken, token)))
    .returning({ name: chainCursors.name });
  if (moved.length !== 1) throw new Error('another process reads the chain now');
}

async function isStillOnChain(
  chain: Chain,
  cursor: { blockNumber: bigint; blockHash: string },
): Promise<boolean> {
  if (cursor.blockHash === '') return true;
  const block = await chain.client.getBlock({ blockNumber: cursor.blockNumber });
  return block.hash === cursor.blockHash;
}

/**
 * The chain went back, after a reorganisation or because a local node lost its last second. What
 * was read from the vanished blocks is forgotten, and our own transactions among them are sent
 * again with the bytes that were stored.
 */
async function rewind(deps: WatcherDeps, token: string, from: bigint, head: bigint): Promise<void> {
  const known = from < head ? from : head;
  const to = known > REWIND_BLOCKS ? known - REWIND_BLOCKS : 0n;
  const block = await deps.chain.client.getBlock({ blockNumber: to });
  const lost = await findLostTransactions(deps, to);
  deps.log.warn({ from, to, lost: lost.length }, 'the chain went back; reading again');
  await deps.database.orm.transaction(async (tx) => {
    await moveCursor(tx, token, to, block.hash);
    await tx.delete(tokenTransfers).where(gt(tokenTransfers.blockNumber, to));
    await tx.delete(vaultEvents).where(gt(vaultEvents.blockNumber, to));
    if (lost.length === 0) return;
    await tx
      .update(chainTransactions)
      .set({ state: 'lost', blockNumber: null, blockHash: null })
      .where(inArray(chainTransactions.id, lost));
  });
}

async function findLostTransactions(deps: WatcherDeps, after: bigint): Promise<string[]> {
  const confirmed = await deps.database.orm
    .select({ id: chainTransactions.id, hash: chainTransactions.hash })
    .from(chainTransactions)
    .where(and(eq(chainTransactions.state, 'confirmed'), gt(chainTransactions.blockNumber, after)));
  const lost: string[] = [];
  for (const transaction of confirmed) {
    const receipt = await deps.chain.client.request({
      method: 'eth_getTransactionReceipt',
      params: [transaction.hash as Hex],
    });
    if (!receipt) lost.push(transaction.id);
  }
  return lost;
}
