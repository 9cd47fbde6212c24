import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Hex, TransactionReceipt } from 'viem';
import type { Chain } from '#server/chain/client.ts';
import {
  type ChainOperation,
  type ChainTransaction,
  listOperationsOf,
} from '#server/chain/operations/store.ts';
import { errorName, readRefusals, readVaultEvents } from '#server/chain/vaultLogs.ts';
import type { Database, Queryable } from '#server/db/client.ts';
import { chainOperations, chainTransactions, vaultEvents } from '#server/db/schema/chain.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { OrderQueue } from '#server/orders/queue.ts';
import { redemptionCallOf } from '#server/orders/redemption.ts';
import { redemptionFailures, storeSettlementLogs } from '#server/settlement/settlementLogs.ts';

type Verdict = { succeeded: true } | { succeeded: false; failure: string };

/**
 * Writes down what a mined transaction did, for each operation in it, and wakes their intents.
 * Running it again for the same transaction changes nothing.
 */
export async function resolveTransaction(
  deps: { database: Database; chain: Chain; queue: OrderQueue },
  transaction: ChainTransaction,
  receipt: TransactionReceipt,
): Promise<void> {
  const operations = await listOperationsOf(deps.database.orm, transaction.id);
  const revertName =
    receipt.status === 'reverted' ? await replayError(deps.chain, receipt) : undefined;
  const chainOrderIds = await readChainOrderIds(deps.database.orm, operations);
  const verdictOf = judge(deps.chain, receipt, revertName, chainOrderIds, operations);
  await deps.database.orm.transaction(async (tx) => {
    const [confirmed] = await tx
      .update(chainTransactions)
      .set({
        state: 'confirmed',
        reverted: receipt.status === 'reverted',
        blockNumber: receipt.blockNumber,
        blockHash: receipt.blockHash,
        gasUsed: receipt.gasUsed,
        confirmedAt: sql`now()`,
      })
      .where(
        and(
          eq(chainTransactions.id, transaction.id),
          inArray(chainTransactions.state, ['signed', 'lost']),
        ),
      )
      .returning({ id: chainTransactions.id });
    if (!confirmed) return;
    const events = readVaultEvents(deps.chain.contracts.swapVault, receipt.logs);
    if (events.length > 0) await tx.insert(vaultEvents).values(events).onConflictDoNothing();
    await storeSettlementLogs(tx, deps.chain.contracts.swapVault, receipt.logs);
    for (const operation of operations) {
      await writeVerdict(tx, operation, verdictOf(operation));
      await wakeOrder(tx, deps.queue, operation.orderId);
    }
  });
}

/** Makes an intent due at once, in the caller's transaction. */
export async function wakeOrder(tx: Queryable, queue: OrderQueue, orderId: string): Promise<void> {
  const [due] = await tx
    .update(orders)
    .set({ nextRunAt: sql`now()` })
    .where(and(eq(orders.id, orderId), eq(orders.isComplete, false)))
    .returning({ id: orders.id });
  if (due) await queue.enqueue(tx, orderId);
}

function judge(
  chain: Chain,
  receipt: TransactionReceipt,
  revertName: string | undefined,
  chainOrderIds: ReadonlyMap<string, string>,
  operations: readonly ChainOperation[],
): (operation: ChainOperation) => Verdict {
  if (revertName !== undefined) return () => ({ succeeded: false, failure: revertName });
  const events = readVaultEvents(chain.contracts.swapVault, receipt.logs);
  const refusals = readRefusals(chain.contracts.swapVault, receipt.logs);
  const redeemed = judgeRedemptions(chain, receipt, operations);
  const expected = { request: 'requested', fill: 'filled', refund: 'refunded' } as const;
  return (operation) => {
    const redemption = redeemed.get(operation.id);
    if (redemption) return redemption;
    if (operation.kind !== 'request' && operation.kind !== 'fill' && operation.kind !== 'refund') {
      return { succeeded: true };
    }
    const id = chainOrderIds.get(operation.orderId) ?? '';
    const kind = expected[operation.kind];
    const happened = events.some((event) => event.chainOrderId === id && event.kind === kind);
    return happened
      ? { succeeded: true }
      : { succeeded: false, failure: refusals.get(id) ?? 'not_in_receipt' };
  };
}

function judgeRedemptions(
  chain: Chain,
  receipt: TransactionReceipt,
  operations: readonly ChainOperation[],
): ReadonlyMap<string, Verdict> {
  const asked = operations.filter((operation) => operation.kind === 'redeem');
  const failures = redemptionFailures(
    chain.contracts.swapVault,
    receipt.logs,
    asked.map(redemptionCallOf),
  );
  return new Map(
    asked.map((operation, at): [string, Verdict] => {
      const failure = failures[at];
      return [operation.id, failure ? { succeeded: false, failure } : { succeeded: true }];
    }),
  );
}

async function readChainOrderIds(
  db: Queryable,
  operations: ChainOperation[],
): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: orders.id, chainOrderId: orders.chainOrderId })
    .from(orders)
    .where(
      inArray(
        orders.id,
        operations.map((operation) => operation.orderId),
      ),
    );
  return new Map(rows.map((row) => [row.id, row.chainOrderId ?? '']));
}

async function writeVerdict(
  tx: Queryable,
  operation: ChainOperation,
  verdict: Verdict,
): Promise<void> {
  await tx
    .update(chainOperations)
    .set({
      state: verdict.succeeded ? 'succeeded' : 'failed',
      failure: verdict.succeeded ? null : verdict.failure,
      resolvedAt: sql`now()`,
    })
    .where(and(eq(chainOperations.id, operation.id), eq(chainOperations.state, 'sent')));
}

/** Runs a reverted call once more, without effect, to learn the error it ends with. */
async function replayError(chain: Chain, receipt: TransactionReceipt): Promise<string> {
  const transaction = await chain.client.getTransaction({ hash: receipt.transactionHash });
  try {
    await chain.client.call({
      account: transaction.from,
      to: transaction.to,
      data: transaction.input,
      gas: transaction.gas,
      blockNumber: receipt.blockNumber,
    });
    return 'transaction_reverted';
  } catch (error) {
    const data = revertDataOf(error);
    return data === undefined ? 'transaction_reverted' : errorName(data);
  }
}

function revertDataOf(error: unknown): Hex | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('data' in cause && typeof cause.data === 'string' && cause.data.startsWith('0x')) {
      return cause.data as Hex;
    }
  }
  return undefined;
}
