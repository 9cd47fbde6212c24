import type { TransactionReceipt } from 'viem';
import type { ChainOperation, ChainTransaction } from '#server/chain/operations/store.ts';
import { observeTransaction } from '#server/metrics/orders.ts';
import { isTracing, noteSpan } from '#server/tracing/spans.ts';
import type { SignerDeps } from './signerDeps.ts';
import { loadSubjects } from './subjects.ts';

/**
 * Tells metrics and traces of a transaction that was confirmed. It carries operations of several
 * intents, so each of their traces shows it. What cannot be told is no reason to stop.
 */
export async function tellConfirmed(
  deps: SignerDeps,
  confirmed: {
    transaction: ChainTransaction;
    receipt: TransactionReceipt;
    /** As they ended. */
    operations: readonly ChainOperation[];
  },
): Promise<void> {
  const { transaction, receipt, operations } = confirmed;
  try {
    const seconds = Math.max(0, Date.now() - transaction.signedAt.getTime()) / 1000;
    for (const { kind, state } of operations) observeTransaction(kind, state, seconds);
    if (!isTracing()) return;
    const { orders } = await loadSubjects(deps.database.orm, operations);
    for (const { kind, orderId, attempt, failure, createdAt } of operations) {
      noteSpan(`chain.transaction.${kind}`, orders.get(orderId)?.traceparent ?? null, {
        startTime: transaction.signedAt,
        attributes: {
          'crossbook.intent_id': orderId,
          'crossbook.attempt': attempt,
          'crossbook.waited_ms': transaction.signedAt.getTime() - createdAt.getTime(),
          'crossbook.operations': operations.length,
          'chain.transaction.hash': receipt.transactionHash,
          'chain.block.number': Number(receipt.blockNumber),
        },
        failure: failure ?? undefined,
      });
    }
  } catch (error) {
    deps.log.debug({ err: error, hash: receipt.transactionHash }, 'transaction not published');
  }
}
