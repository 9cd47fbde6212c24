import { removePostingsOf } from '#server/domain/ledger/ledger.ts';
import { asTradeOrder, type TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import { lockPosting, refundPosting } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import {
  type OrderContext,
  readContext,
  type VaultEvent,
} from '#server/domain/orders/lifecycle/orderContext.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import { endFailed, type Transition } from '#server/domain/orders/lifecycle/transition.ts';
import { recordResponse } from './exchangeAttempt.ts';
import { findLock } from './findLock.ts';
import { onSecondLook, PARK_FOR_CHAIN_MS, PARK_FOR_SIGNER_MS, type Step } from './step.ts';

/** Between tries of a refund that the chain refused. */
const RETRY_MS = 5_000;

/** Sends the locked input back, however often it takes; what is not locked any more stays where it is. */
export const refundStep: Step = async (deps, row, run) => {
  const order = asTradeOrder(row);
  const facts = await readContext(deps.database, row);
  const refunded = facts.event('refunded');
  if (refunded) return keepFilled(facts, refundedTransition(order, refunded));
  const lock = await findLock(deps, order, facts);
  if (lock === 'awaited')
    return { from: 'refund', next: { kind: 'park', delayMs: PARK_FOR_CHAIN_MS } };
  if (lock !== 'stands') {
    return onSecondLook(run, keepFilled(facts, unlockedTransition(order, lock.lost)));
  }
  const operation = facts.operation('refund');
  if (operation?.state === 'failed') {
    deps.log.error({ orderId: order.id, failure: operation.failure }, 'refund failed on chain');
  }
  const notBeforeMs = operation === undefined ? 0 : RETRY_MS;
  const due = operation === undefined || operation.state === 'failed';
  return {
    from: 'refund',
    operations: due
      ? [{ kind: 'refund', attempt: (operation?.attempt ?? 0) + 1, args: { notBeforeMs } }]
      : [],
    next: { kind: 'park', delayMs: PARK_FOR_SIGNER_MS },
  };
};

/** The input was never taken on the chain as it is now, so the books take their word back too. */
function unlockedTransition(order: TradeOrder, lost: TerminationReason): Transition {
  const reason = (order.endingReason ?? lost) as TerminationReason;
  return {
    ...endFailed('refund', reason, {
      set: {
        returnedUsdcMicros: 0n,
        returnedContractMicros: 0n,
        filledContractMicros: 0n,
        quoteUsdcMicros: 0n,
        feeUsdcMicros: 0n,
      },
      events: [{ type: 'lock_undone', detail: lost }],
    }),
    write: (tx) => removePostingsOf(tx, [order.id], 'lock'),
  };
}

/** What the exchange has filled of it all the same is the house's from here on. */
function keepFilled({ attempt }: OrderContext, ended: Transition): Transition {
  if (!attempt?.filledContractMicros) return ended;
  return {
    ...ended,
    set: { ...ended.set, stage: 'unwind', isUnwinding: true },
    answer: recordResponse(attempt, { state: attempt.state, purpose: 'found' }),
  };
}

function refundedTransition(order: TradeOrder, refunded: VaultEvent): Transition {
  const isBuy = order.tradeAction === 'buy';
  const returned = refunded.returnedMicros ?? 0n;
  const reason = (order.endingReason ?? 'refunded_on_chain') as TerminationReason;
  return endFailed('refund', reason, {
    set: {
      transactionHash: refunded.transactionHash,
      returnedUsdcMicros: isBuy ? returned : 0n,
      returnedContractMicros: isBuy ? 0n : returned,
      filledContractMicros: 0n,
      quoteUsdcMicros: 0n,
      feeUsdcMicros: 0n,
    },
    // A fork may have taken the lock back meanwhile; posted twice it is one posting.
    postings: [lockPosting(order), refundPosting(order, returned)],
    events: [{ type: 'returned', transactionHash: refunded.transactionHash }],
  });
}
