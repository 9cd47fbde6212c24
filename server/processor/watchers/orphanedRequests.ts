import { randomUUID } from 'node:crypto';
import { and, desc, eq, sql } from 'drizzle-orm';
import type { Hex } from 'viem';
import { advanceCursor, holdCursor, readCursor } from '#server/chain/cursor.ts';
import { findLatestOperation } from '#server/chain/operations/latest.ts';
import { addOperations } from '#server/chain/operations/store.ts';
import { readRequestedOrders } from '#server/chain/vaultLogs.ts';
import { orderMessage } from '#server/chain/vaultOrder.ts';
import { findVaultEvent, type VaultEvent } from '#server/domain/orders/lifecycle/orderContext.ts';
import { appendEvents } from '#server/domain/orders/lifecycle/transition.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { orphanedRequests, vaultEvents } from '#server/platform/database/schema/chain.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { CONTRACTS_CURSOR } from '../forks/contractLogs.ts';
import { pollUntilAborted } from '../runner/polling.ts';
import type { ProcessorDeps } from '../runner/stepDeps.ts';
import type { OrphanedRequest } from '../signers/transactionContents.ts';

type OrphanDeps = Pick<ProcessorDeps, 'database' | 'chain' | 'log' | 'work'>;

const CURSOR = 'orphaned_requests';
const RETRY_MS = 5_000;
const MAX_PER_POLL = 100;
/** Read again each time: an order may end at the moment its request is mined. */
const OVERLAP_BLOCKS = 60n;
/** Read again at longer intervals, for an order that ended long afterwards. */
const WIDE_OVERLAP_BLOCKS = 1_000n;
const WIDE_EVERY_POLLS = 20;

/**
 * Any address may lock funds in the vault for an order of its own, and a wallet may send an order
 * after it has ended here. Such a request is returned at once instead of staying in the vault until
 * it expires. One process checks at a time.
 */
export async function returnOrphanedRequests(deps: OrphanDeps, signal: AbortSignal): Promise<void> {
  const token = randomUUID();
  const failure = 'orphaned requests could not be processed';
  const options = { log: deps.log, signal, pollMs: 1_000, errorPauseMs: 5_000, failure };
  let polls = 0;
  await pollUntilAborted(options, async () => {
    const overlap = polls % WIDE_EVERY_POLLS === 0 ? WIDE_OVERLAP_BLOCKS : OVERLAP_BLOCKS;
    polls += 1;
    for (const event of await findOrphans(deps, token, overlap)) {
      await tryOne(deps, event.chainOrderId, () => recordOrphan(deps, event));
    }
    for (const orphan of await listOpen(deps.database)) {
      await tryOne(deps, orphan.chainOrderId, () => returnOrphan(deps, orphan));
    }
    return false;
  });
}

/** A request that cannot be processed now does not delay the others. */
async function tryOne(
  deps: OrphanDeps,
  chainOrderId: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    deps.log.error({ err: error, chainOrderId }, 'an orphaned request could not be processed');
  }
}

async function findOrphans(
  deps: OrphanDeps,
  token: string,
  overlap: bigint,
): Promise<VaultEvent[]> {
  const contracts = await readCursor(deps.database.orm, CONTRACTS_CURSOR);
  const held = await holdCursor(deps.database, CURSOR, token);
  if (!contracts || !held) return [];
  const { blockNumber, blockHash } = contracts;
  // A fork may have moved the cursor back.
  const isReverted = blockNumber < held.blockNumber;
  const from = isReverted ? blockNumber : held.blockNumber;
  const found = await selectOrphans(deps.database.orm, from - overlap);
  if (found.length < MAX_PER_POLL && held.blockNumber !== blockNumber) {
    await advanceCursor(deps.database.orm, CURSOR, token, { blockNumber, blockHash });
  }
  return found;
}

/**
 * Requests with funds in the vault but without an order: none was created, or it failed before its
 * funds were locked. A completed order never has one.
 */
async function selectOrphans(db: Queryable, afterBlock: bigint): Promise<VaultEvent[]> {
  const event = vaultEvents;
  return await db
    .select()
    .from(event)
    .where(
      and(
        eq(event.kind, 'requested'),
        sql`${event.blockNumber} > ${afterBlock}`,
        sql`not exists (select 1 from vault_events e
          where e.chain_order_id = ${event.chainOrderId} and e.kind in ('filled', 'refunded'))`,
        sql`not exists (select 1 from orders o
          where o.chain_order_id = ${event.chainOrderId} and o.status <> 'failed')`,
        sql`not exists (select 1 from orphaned_requests s
          where s.chain_order_id = ${event.chainOrderId} and s.state = 'open')`,
      ),
    )
    .limit(MAX_PER_POLL);
}

/** Records an orphaned request once, with the whole order as the chain logged it. */
async function recordOrphan(deps: OrphanDeps, event: VaultEvent): Promise<void> {
  const receipt = await deps.chain.client.getTransactionReceipt({
    hash: event.transactionHash as Hex,
  });
  const logged = readRequestedOrders(deps.chain.contracts.swapVault, receipt.logs);
  const order = logged.get(event.chainOrderId as Hex);
  if (!order) throw new Error(`no request of ${event.chainOrderId} in ${event.transactionHash}`);
  await deps.database.orm.transaction(async (tx) => {
    const isOfEvent = eq(orders.chainOrderId, event.chainOrderId);
    const [ended] = await tx.select().from(orders).where(isOfEvent);
    await tx
      .insert(orphanedRequests)
      .values({
        id: ended?.id ?? randomUUID(),
        accountId: event.accountAddress,
        chainOrderId: event.chainOrderId,
        kind: ended ? 'ended' : 'unknown',
        order: orderMessage(order),
        state: 'open',
        requestHash: event.transactionHash,
        createdAt: sql`now()`,
      })
      // It was returned, and a fork has reverted the return.
      .onConflictDoUpdate({ target: orphanedRequests.chainOrderId, set: { state: 'open' } });
    const { transactionHash } = event;
    if (ended) await appendEvents(tx, ended, [{ type: 'requested_too_late', transactionHash }]);
  });
  const { accountAddress, chainOrderId, transactionHash } = event;
  const details = { accountAddress, chainOrderId, transactionHash };
  deps.log.warn(details, 'orphaned request is being returned');
}

async function listOpen(database: Database): Promise<OrphanedRequest[]> {
  return await database.orm
    .select()
    .from(orphanedRequests)
    .where(eq(orphanedRequests.state, 'open'))
    .orderBy(desc(orphanedRequests.createdAt))
    .limit(MAX_PER_POLL);
}

async function returnOrphan(deps: OrphanDeps, orphan: OrphanedRequest): Promise<void> {
  const db = deps.database.orm;
  const refunded = await findVaultEvent(db, orphan.chainOrderId, 'refunded');
  if (refunded) {
    await markReturned(deps, orphan, refunded);
    return;
  }
  // Until a request removed by a fork reappears there is nothing to return.
  if (!(await findVaultEvent(db, orphan.chainOrderId, 'requested'))) return;
  const last = await findLatestOperation(db, orphan.id, 'refund');
  if (last && last.state !== 'failed') return;
  if (last) {
    const details = { chainOrderId: orphan.chainOrderId, failure: last.failure };
    deps.log.error(details, 'orphaned request could not be returned');
  }
  const args = { notBeforeMs: last ? RETRY_MS : 0 };
  await addOperations(db, orphan, [{ kind: 'refund', attempt: (last?.attempt ?? 0) + 1, args }]);
  deps.work.ring('refund');
}

async function markReturned(
  deps: OrphanDeps,
  orphan: OrphanedRequest,
  refunded: VaultEvent,
): Promise<void> {
  const { transactionHash } = refunded;
  const amountMicros = refunded.returnedMicros ?? 0n;
  const { isBuy } = orphan.order;
  await deps.database.orm.transaction(async (tx) => {
    const returned = await tx
      .update(orphanedRequests)
      .set({ state: 'returned', returnHash: transactionHash, resolvedAt: sql`now()` })
      .where(and(eq(orphanedRequests.id, orphan.id), eq(orphanedRequests.state, 'open')))
      .returning({ id: orphanedRequests.id });
    if (returned.length === 0 || orphan.kind !== 'ended') return;
    const [row] = await tx
      .update(orders)
      .set({
        transactionHash,
        filledContractMicros: 0n,
        quoteUsdcMicros: 0n,
        feeUsdcMicros: 0n,
        returnedUsdcMicros: isBuy ? amountMicros : 0n,
        returnedContractMicros: isBuy ? 0n : amountMicros,
        updatedAt: sql`now()`,
      })
      .where(eq(orders.id, orphan.id))
      .returning();
    if (row) await appendEvents(tx, row, [{ type: 'returned', transactionHash }]);
  });
}
