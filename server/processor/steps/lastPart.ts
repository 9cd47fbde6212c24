import {
  deliveryPosting,
  lockPosting,
  partPosting,
} from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import type { VaultEvent } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import { type Decided, type Decision, decided, PARK_FOR_CHAIN_MS, park } from './decision.ts';
import { failureResolved } from './deliveryFailure.ts';
import type { FactsOf } from './facts.ts';
import { decideLock, type LockFact } from './lock.ts';
import { bookPart, decideParts, deliveredOf, feeTotalOf, type PartFact } from './parts.ts';
import { refusalOf } from './refusedReceiver.ts';

type LastFacts = FactsOf<LockFact | PartFact | 'deliveredTo'>;

/**
 * Delivers the last part of an order that no longer rests, and with it the rest of its input. Where
 * nothing is left to deliver, the rest is refunded.
 */
export function decideLastPart(order: TradeOrder, facts: LastFacts, now: Date): Decision {
  const { events } = facts.context;
  if (events.filled) return completeOrder(order, facts, events.filled, 'deliver');
  const booked = bookPart(order, facts, 'deliver');
  if (booked) return booked;
  if (events.refunded) return refundRest(order, 'settled_too_late');
  const lock = decideLock(order, facts, now);
  if (lock.kind === 'need') return lock;
  if (lock.kind === 'awaited') return park('deliver', PARK_FOR_CHAIN_MS);
  if (lock.kind === 'lost') return refundRest(order, 'settled_too_late');
  const decision = decideParts(order, facts, now, { from: 'deliver', isLast: true });
  if (decision === 'nothing') return refundRest(order, order.endingReason ?? 'filled');
  return decision === 'undeliverable' ? refundRest(order, 'settled_too_late') : decision;
}

/** What is filled and not delivered is the house's from here on. */
function refundRest(order: TradeOrder, endingReason: string): Decided {
  return decided({
    from: 'deliver',
    set: { stage: 'refund', endingReason },
    events: [{ type: 'returning', detail: endingReason }],
    next: { kind: 'continue' },
    writes: [failureResolved(order)],
  });
}

/** The vault has ended the order with its last fill. */
export function completeOrder(
  order: TradeOrder,
  { context, deliveredTo }: FactsOf<'deliveredTo'>,
  filled: VaultEvent,
  from: 'rest' | 'deliver' | 'refund',
): Decision {
  if (deliveredTo === undefined) return { kind: 'need', fact: 'deliveredTo', filled };
  const { transactionHash } = filled;
  const isBuy = order.tradeAction === 'buy';
  const before = deliveredOf(context);
  const contractMicros = filled.filledTotalMicros ?? 0n;
  const quoteUsdcMicros = filled.quoteTotalMicros ?? 0n;
  const feeUsdcMicros = feeTotalOf(order, context.operations.fill, filled);
  const lastFee = { feeUsdcMicros: feeUsdcMicros - (order.deliveredFeeUsdcMicros ?? 0n) };
  const isInParts = before.contractMicros > 0n;
  return decided({
    from,
    set: {
      status: 'completed',
      stage: 'done',
      isComplete: true,
      transactionHash,
      endingReason: order.endingReason ?? 'filled',
      filledContractMicros: contractMicros,
      quoteUsdcMicros,
      feeUsdcMicros,
      deliveredContractMicros: contractMicros,
      deliveredQuoteUsdcMicros: quoteUsdcMicros,
      deliveredFeeUsdcMicros: feeUsdcMicros,
      returnedUsdcMicros: isBuy ? (filled.returnedMicros ?? 0n) : 0n,
      returnedContractMicros: isBuy ? 0n : (filled.returnedMicros ?? 0n),
      deliversAt: null,
      amendPriceMicros: null,
      amendContractMicros: null,
    },
    stamp: ['completedAt'],
    events: [
      ...refusalOf(order, deliveredTo, transactionHash),
      {
        type: 'completed',
        transactionHash,
        contractMicros: contractMicros - before.contractMicros,
        quoteUsdcMicros: quoteUsdcMicros - before.quoteUsdcMicros,
        // Earlier parts may be booked only now.
        ...(isInParts && order.deliveredContractMicros !== before.contractMicros ? {} : lastFee),
      },
    ],
    // A fork may have removed earlier postings meanwhile; posting them again is idempotent.
    postings: [
      lockPosting(order),
      ...context.parts.map((part) => partPosting(order, part)),
      deliveryPosting(order, filled),
    ],
    next: { kind: 'end' },
    writes: [failureResolved(order)],
  });
}
