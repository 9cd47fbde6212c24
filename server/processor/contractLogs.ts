import { and, eq, gt, inArray } from 'drizzle-orm';
import type { Log as ChainLog, Hex } from 'viem';
import { forgetBlockTimes, noteBlocks } from '#server/chain/blockTimes.ts';
import type { Chain } from '#server/chain/client.ts';
import { readTokenTransfers, readVaultEvents } from '#server/chain/vaultLogs.ts';
import type { Database, Queryable } from '#server/db/client.ts';
import { chainTransactions, tokenTransfers, vaultEvents } from '#server/db/schema/chain.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { OrderQueue } from '#server/orders/queue.ts';
import { forgetSettlementLogs, storeSettlementLogs } from '#server/settlement/settlementLogs.ts';
import { wakeOrder } from './wakeOrder.ts';

type LogDeps = { database: Database; chain: Chain; queue: OrderQueue };

/**
 * Stores what the contracts logged and wakes the intents that learn something from it. Logs that
 * are stored already change nothing.
 */
export async function storeLogs(deps: LogDeps, tx: Queryable, logs: ChainLog[]): Promise<void> {
  await noteBlocks(tx, logs);
  const transfers = readTokenTransfers(deps.chain.contracts.outcomeToken, logs);
  if (transfers.length > 0) await tx.insert(tokenTransfers).values(transfers).onConflictDoNothing();
  await storeSettlementLogs(tx, deps.chain.contracts.swapVault, logs);
  const events = readVaultEvents(deps.chain.contracts.swapVault, logs);
  if (events.length === 0) return;
  const added = await tx.insert(vaultEvents).values(events).onConflictDoNothing().returning();
  if (added.length === 0) return;
  const touched = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        inArray(
          orders.chainOrderId,
          added.map((event) => event.chainOrderId),
        ),
        eq(orders.isComplete, false),
      ),
    );
  for (const order of touched) await wakeOrder(tx, deps.queue, order.id);
}

/** Forgets what was read of blocks after this one: they are not on the chain any more. */
export async function forgetLogs(tx: Queryable, after: bigint): Promise<void> {
  await tx.delete(tokenTransfers).where(gt(tokenTransfers.blockNumber, after));
  await tx.delete(vaultEvents).where(gt(vaultEvents.blockNumber, after));
  await forgetSettlementLogs(tx, after);
  await forgetBlockTimes(tx, after);
}

/**
 * Our transactions that were confirmed in blocks which are gone: those the chain no longer knows,
 * and those that stand in another block now, where they may have done something else.
 */
export async function findLostTransactions(
  deps: { database: Database; chain: Chain },
  after: bigint,
): Promise<string[]> {
  const confirmed = await deps.database.orm
    .select()
    .from(chainTransactions)
    .where(and(eq(chainTransactions.state, 'confirmed'), gt(chainTransactions.blockNumber, after)));
  const lost: string[] = [];
  for (const transaction of confirmed) {
    const receipt = await deps.chain.client.request({
      method: 'eth_getTransactionReceipt',
      params: [(transaction.minedHash ?? transaction.hash) as Hex],
    });
    if (receipt?.blockHash !== transaction.blockHash) lost.push(transaction.id);
  }
  return lost;
}

/** Hands transactions back to their signers, to be sent again or looked at again. */
export async function markLost(tx: Queryable, transactionIds: readonly string[]): Promise<void> {
  if (transactionIds.length === 0) return;
  await tx
    .update(chainTransactions)
    .set({ state: 'lost', minedHash: null, blockNumber: null, blockHash: null })
    .where(inArray(chainTransactions.id, [...transactionIds]));
}
