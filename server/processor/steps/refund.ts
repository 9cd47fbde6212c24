import {
  lockPosting,
  partPosting,
  refundPosting,
} from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import type { OrderContext, VaultEvent } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { asTradeOrder, rests, type TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import { endFailed } from '#server/domain/orders/lifecycle/transition.ts';
import {
  confirmEnd,
  type Decided,
  type Decision,
  decided,
  PARK_FOR_CHAIN_MS,
  PARK_FOR_SIGNER_MS,
  park,
  recordResponse,
} from './decision.ts';
import type { FactsOf } from './facts.ts';
import { completeOrder } from './lastPart.ts';
import { decideLock, type LockFact } from './lock.ts';
import { bookPart, deliveredOf } from './parts.ts';

type RefundFacts = FactsOf<LockFact | 'deliveredTo'>;

/** Between retries of a refund that the chain rejected. */
const RETRY_MS = 5_000;

/**
 * Refunds the locked input, retrying until it succeeds; does nothing for an input that is no longer
 * locked.
 */
export function decideRefund(row: OrderRow, facts: RefundFacts, now: Date): Decision {
  const order = asTradeOrder(row);
  const { context } = facts;
  const { filled, refunded } = context.events;
  const booked = rests(order) ? bookPart(order, facts, 'refund') : undefined;
  if (booked) return booked;
  if (rests(order) && filled) return completeOrder(order, facts, filled, 'refund');
  if (refunded && deliveredOf(context).contractMicros > 0n) {
    return refillAccount(context, partlyDelivered(order, context, refunded));
  }
  if (refunded) return refillAccount(context, refundedTransition(order, refunded));
  const lock = decideLock(order, facts, now);
  if (lock.kind === 'need') return lock;
  if (lock.kind === 'awaited') return park('refund', PARK_FOR_CHAIN_MS);
  if (lock.kind === 'lost') {
    return confirmEnd(facts, refillAccount(context, unlockedTransition(order, lock.reason)));
  }
  const operation = context.operations.refund;
  if (operation === undefined) return submit(1, 0);
  if (operation.state !== 'failed') return park('refund', PARK_FOR_SIGNER_MS);
  const { attempt, failure } = operation;
  const log = { level: 'error', message: 'refund failed on chain', details: { failure } } as const;
  return { ...submit(attempt + 1, RETRY_MS), log };
}

function submit(attempt: number, notBeforeMs: number): Decided {
  return {
    ...park('refund', PARK_FOR_SIGNER_MS),
    operations: [{ kind: 'refund', attempt, args: { notBeforeMs } }],
  };
}

const NOTHING_TRADED = { filledContractMicros: 0n, quoteUsdcMicros: 0n, feeUsdcMicros: 0n };

/** The input is not locked on the current chain, so its posting is removed too. */
function unlockedTransition(order: TradeOrder, lost: TerminationReason): Decided {
  const reason = (order.endingReason ?? lost) as TerminationReason;
  return {
    ...decided(
      endFailed('refund', reason, {
        set: { ...NOTHING_TRADED, returnedUsdcMicros: 0n, returnedContractMicros: 0n },
        events: [{ type: 'lock_undone', detail: lost }],
      }),
    ),
    writes: [{ kind: 'remove_lock_posting' }],
  };
}

/** A fill at the exchange despite the refund belongs to the house. */
function refillAccount(context: OrderContext, ended: Decided): Decided {
  const { attempt } = context;
  const filledMicros = attempt?.filledContractMicros ?? 0n;
  if (!attempt || filledMicros <= deliveredOf(context).contractMicros) return ended;
  return {
    ...ended,
    set: { ...ended.set, stage: 'unwind', isUnwinding: true },
    response: recordResponse(attempt, { state: attempt.state, purpose: 'found' }),
  };
}

/** What was delivered before stays; the rest of the input is back. */
function partlyDelivered(order: TradeOrder, context: OrderContext, refunded: VaultEvent): Decided {
  const isBuy = order.tradeAction === 'buy';
  const returned = refunded.returnedMicros ?? 0n;
  const { transactionHash } = refunded;
  const { contractMicros, quoteUsdcMicros } = deliveredOf(context);
  return decided({
    from: 'refund',
    set: {
      status: 'completed',
      stage: 'done',
      isComplete: true,
      transactionHash,
      filledContractMicros: contractMicros,
      quoteUsdcMicros,
      feeUsdcMicros: order.deliveredFeeUsdcMicros ?? 0n,
      returnedUsdcMicros: isBuy ? returned : 0n,
      returnedContractMicros: isBuy ? 0n : returned,
      deliversAt: null,
    },
    stamp: ['completedAt'],
    postings: [
      lockPosting(order),
      ...context.parts.map((part) => partPosting(order, part)),
      refundPosting(order, returned),
    ],
    events: [
      { type: 'returned', transactionHash },
      { type: 'completed', transactionHash },
    ],
    next: { kind: 'end' },
  });
}

function refundedTransition(order: TradeOrder, refunded: VaultEvent): Decided {
  const isBuy = order.tradeAction === 'buy';
  const returned = refunded.returnedMicros ?? 0n;
  const { transactionHash } = refunded;
  const reason = (order.endingReason ?? 'refunded_on_chain') as TerminationReason;
  return decided(
    endFailed('refund', reason, {
      set: {
        ...NOTHING_TRADED,
        transactionHash,
        returnedUsdcMicros: isBuy ? returned : 0n,
        returnedContractMicros: isBuy ? 0n : returned,
      },
      // A fork may have removed the lock meanwhile; posting it again is idempotent.
      postings: [lockPosting(order), refundPosting(order, returned)],
      events: [{ type: 'returned', transactionHash }],
    }),
  );
}
