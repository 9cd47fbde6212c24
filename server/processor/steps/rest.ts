import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { asTradeOrder, type TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import { type AmendFact, checkAmendment, decideAmendment, isSendingAmendment } from './amend.ts';
import {
  type Decided,
  type Decision,
  decided,
  PARK_FOR_CHAIN_MS,
  park,
  recordResponse,
} from './decision.ts';
import { type EndAtExchangeFact, endAtExchange, reasonOfEnd } from './endAtExchange.ts';
import type { FactsOf } from './facts.ts';
import { completeOrder } from './lastPart.ts';
import { decideLock, type LockFact } from './lock.ts';
import { bookPart, decideParts, deliveredOf, type PartFact } from './parts.ts';
import { recordFills } from './recordFills.ts';
import { beginEnding, findEnding, findSlowEnding, type SlowEndingFact } from './restEndings.ts';

type RestFacts = FactsOf<
  LockFact | PartFact | EndAtExchangeFact | AmendFact | SlowEndingFact | 'restFills' | 'deliveredTo'
>;

/** Between visits of an order that nothing wakes: the feed and the sweep do. */
const CHECK_MS = 5 * 60_000;
/** The exchange removes an order at its end; shortly afterwards its state is read. */
const EXPIRY_GRACE_MS = 1_500;
/** Between reads of fills that the exchange has reported and does not list yet. */
const FILLS_PAUSE_MS = 250;
/** Between reads of an order that the exchange does not show yet. */
const READ_PAUSE_MS = 500;

/**
 * Follows an order that rests at the exchange: records what it fills, delivers that in parts, and
 * ends it there for every reason but its last fill. An order whose end is proven and whose fills
 * are all recorded goes on to its last delivery, or to the refund of its rest.
 */
export function decideRest(row: OrderRow, facts: RestFacts, now: Date): Decision {
  const order = asTradeOrder(row);
  const { context } = facts;
  const { attempt, events } = context;
  if (attempt === undefined) throw new Error(`order ${order.id} rests without an attempt`);
  const booked = bookPart(order, facts, 'rest');
  if (booked) return booked;
  const lock = decideLock(order, facts, now);
  if (lock.kind === 'need') return lock;
  if (attempt.state === 'resting') {
    const reason = findEnding(order, context, lock, now);
    if (reason !== undefined) return beginEnding(reason);
    if (order.endingReason !== null) return endAtExchange(order, facts, now, attempt);
    const next = followOrder(order, facts, now, attempt);
    if (next) return next;
    // Without the lock on chain there is nothing to deliver from.
    return lock.kind === 'awaited'
      ? park('rest', PARK_FOR_CHAIN_MS)
      : deliverInParts(order, facts, now);
  }
  const missing = (order.filledContractMicros ?? 0n) < (attempt.filledContractMicros ?? 0n);
  if (missing) return recordFills(order, facts, now, attempt) ?? waitForFills();
  if (events.filled) return completeOrder(order, facts, events.filled, 'rest');
  if (lock.kind === 'awaited') return park('rest', PARK_FOR_CHAIN_MS);
  return lock.kind === 'lost' || events.refunded
    ? refundRest(order)
    : deliverRest(order, facts, now);
}

/** All fills are recorded and no more can come. */
function deliverRest(order: TradeOrder, facts: RestFacts, now: Date): Decision {
  const decision = decideParts(order, facts, now, { from: 'rest', isLast: true });
  if (decision === 'nothing' || decision === 'undeliverable') return refundRest(order);
  const isSubmitting = decision.kind === 'transition' && decision.operations !== undefined;
  return isSubmitting ? { ...decision, set: { ...decision.set, stage: 'deliver' } } : decision;
}

function refundRest(order: TradeOrder): Decided {
  const detail = order.endingReason ?? 'exchange_ended';
  return decided({
    from: 'rest',
    set: { stage: 'refund', endingReason: detail },
    events: [{ type: 'returning', detail }],
    next: { kind: 'continue' },
  });
}

function waitForFills(): Decision {
  return { kind: 'pause', pauseMs: FILLS_PAUSE_MS };
}

/** Compares the order at the exchange with the books, and acts on the first difference. */
function followOrder(
  order: TradeOrder,
  facts: RestFacts,
  now: Date,
  attempt: ExchangeAttempt,
): Decision | undefined {
  if (isSendingAmendment(order, facts, now)) {
    const amendment = decideAmendment(order, facts, now, attempt);
    if (amendment) return amendment;
  }
  const { restingOrder } = facts;
  if (restingOrder === undefined) return { kind: 'need', fact: 'restingOrder', attempt };
  if (restingOrder === null) return { kind: 'pause', pauseMs: READ_PAUSE_MS };
  const { filledContractMicros, hasEnded } = restingOrder;
  if (hasEnded) return recordEnd(order, facts, attempt);
  const amended = checkAmendment(order, restingOrder, facts.settings, now);
  if (amended) return amended;
  const recorded = order.filledContractMicros ?? 0n;
  if (filledContractMicros > recorded) {
    return recordFills(order, facts, now, attempt) ?? waitForFills();
  }
  return undefined;
}

/** The exchange's word is final: what it reports as filled is awaited, and nothing else. */
function recordEnd(order: TradeOrder, facts: RestFacts, attempt: ExchangeAttempt): Decision {
  const { restingOrder } = facts;
  const reason = order.endingReason ?? reasonOfEnd(order, facts);
  if (typeof reason !== 'string') return reason;
  return decided({
    from: 'rest',
    set: { endingReason: reason, amendPriceMicros: null, amendContractMicros: null },
    response: recordResponse(attempt, {
      state: 'done',
      filledContractMicros: restingOrder?.filledContractMicros ?? 0n,
    }),
    events: order.endingReason === null ? [{ type: 'ending', detail: reason }] : [],
    next: { kind: 'continue' },
  });
}

/** The vault's error while it is paused: what is filled meanwhile could not be delivered. */
const VAULT_PAUSED = 'VaultPaused';

/** A moment after the first undelivered fill, so that fills of one moment share a delivery. */
function deliverInParts(order: TradeOrder, facts: RestFacts, now: Date): Decision {
  const { fill } = facts.context.operations;
  if (fill?.state === 'failed' && fill.failure === VAULT_PAUSED) return beginEnding('vault_paused');
  const undelivered =
    (order.filledContractMicros ?? 0n) - deliveredOf(facts.context).contractMicros;
  const waitMs = (order.deliversAt?.getTime() ?? 0) - now.getTime();
  if (undelivered > 0n && waitMs > 0)
    return park('rest', Math.min(waitMs, untilNextMs(order, now)));
  const decision = decideParts(order, facts, now, { from: 'rest', isLast: false });
  if (decision === 'undeliverable') return beginEnding('settled_too_late');
  if (decision !== 'nothing') return decision;
  const ending = findSlowEnding(order, facts, now);
  if (ending?.kind === 'need') return ending;
  return ending ? beginEnding(ending.reason) : park('rest', untilNextMs(order, now));
}

function untilNextMs(order: TradeOrder, now: Date): number {
  const end = order.restsUntil ?? order.expiresAt;
  const untilEndMs = end.getTime() + EXPIRY_GRACE_MS - now.getTime();
  return Math.max(Math.min(CHECK_MS, untilEndMs), FILLS_PAUSE_MS);
}
