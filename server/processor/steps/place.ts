import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';
import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import {
  asTradeOrder,
  RECOVERED,
  rests,
  type TradeOrder,
} from '#server/domain/orders/lifecycle/orderRow.ts';
import { afterSending, bookFills, mayFollowBook } from './afterSending.ts';
import { adoptResting, beginResting } from './beginResting.ts';
import { type Decision, decided, lookUpAgain, park, recordResponse } from './decision.ts';
import type { FactsOf, StoredAttempt } from './facts.ts';
import {
  decideStoring,
  findStop,
  placingTimeMs,
  returnFunds,
  type StoringFact,
} from './storeAttempt.ts';

type PlaceFacts = FactsOf<
  StoringFact | 'sent' | 'lookedUp' | 'fills' | 'newFills' | 'listedMarket'
>;

/** Between reads of an order whose fills are not listed yet. */
const FILLS_PAUSE_MS = 250;
/** An order that expires later than this was to rest, or to wait for a price. */
const LONGEST_IMMEDIATE_MS = 60 * 60_000;

/**
 * Sends the order to the exchange once. The attempt is stored before it is sent; an unknown outcome
 * is resolved before anything else happens.
 */
export function decidePlace(row: OrderRow, facts: PlaceFacts, now: Date): Decision {
  const order = asTradeOrder(row);
  const { context, unsent } = facts;
  if (facts.sent) return afterSending(order, facts, now, facts.sent);
  if (unsent?.isCurrent) return send(order, unsent);
  const { attempt } = context;
  if (attempt === undefined) {
    const dropped = context.mayPredateRestore ? findUnrecorded(order, facts, now) : undefined;
    return dropped ?? decideStoring(order, facts, now, 1);
  }
  switch (attempt.state) {
    case 'stored':
      // Only the run that stored it may send it without a look-up.
      return unsent?.clientOrderId === attempt.clientOrderId
        ? send(order, attempt)
        : lookUp(order, facts, now, attempt);
    case 'unknown':
      return lookUp(order, facts, now, attempt);
    case 'refused':
      return storeAgain(order, facts, now, attempt);
    case 'no_fill':
      return decideStoring(order, facts, now, attempt.attempt + 1);
    case 'resting':
      return beginResting(attempt);
    case 'done':
      if (attempt.filledContractMicros !== 0n) return afterFills(order, facts, attempt);
      return mayFollowBook(order, attempt.clientOrderId)
        ? decideStoring(order, facts, now, attempt.attempt + 1)
        : returnFunds('price_moved');
  }
}

function send({ tradeAction }: TradeOrder, attempt: StoredAttempt): Decision {
  return { kind: 'need', fact: 'sent', attempt, tradeAction };
}

function afterFills(order: TradeOrder, { fills }: PlaceFacts, attempt: ExchangeAttempt): Decision {
  if (fills === undefined) return { kind: 'need', fact: 'fills', attempt };
  return fills === null
    ? { kind: 'pause', pauseMs: FILLS_PAUSE_MS }
    : bookFills(order, attempt, fills);
}

function lookUp(
  order: TradeOrder,
  facts: PlaceFacts,
  now: Date,
  attempt: ExchangeAttempt,
): Decision {
  const found = facts.lookedUp;
  if (found === undefined) return { kind: 'need', fact: 'lookedUp', attempt };
  if (found.kind === 'not_yet_known') return lookUpAgain('place', attempt.storedAt, now);
  if (found.kind === 'absent') return storeAgain(order, facts, now, attempt);
  const { exchangeOrderId, filledContractMicros } = found;
  if (rests(order)) return beginResting(attempt, exchangeOrderId);
  if (found.kind === 'resting') return lookUpAgain('place', attempt.storedAt, now);
  const result = { state: 'done', exchangeOrderId, filledContractMicros } as const;
  const response = recordResponse(attempt, result);
  return decided({ from: 'place', response, next: { kind: 'continue' } });
}

/**
 * The attempt provably had no effect and cannot have one: it is stored again with a new time and
 * sent by this run. The client order id stays the same, so that the exchange accepts at most one of
 * the messages.
 */
function storeAgain(
  order: TradeOrder,
  facts: PlaceFacts,
  now: Date,
  attempt: ExchangeAttempt,
): Decision {
  const isTooLate = placingTimeMs(order, facts.settings, now) < 0;
  const stop = isTooLate
    ? ({ kind: 'stop', reason: 'exchange_unavailable' } as const)
    : findStop(order, facts, now);
  if (stop?.kind === 'need') return stop;
  if (stop?.kind === 'wait') return park('place', stop.waitMs);
  if (stop) {
    // A refusal keeps its own code.
    const proof = attempt.state === 'refused' ? {} : { code: 'absent' };
    const response = recordResponse(attempt, { state: 'no_fill', ...proof });
    return { ...returnFunds(stop.reason), response };
  }
  const response = recordResponse(attempt, { state: 'stored' });
  return decided({ from: 'place', response, next: { kind: 'continue' } });
}

/**
 * After a restore the exchange may know an order that the database does not. Its id is the one that
 * would be used next, so it is looked up first.
 */
function findUnrecorded(order: TradeOrder, facts: PlaceFacts, now: Date): Decision | undefined {
  const clientOrderId = clientOrderIdOf(order.id, 1);
  const { createdAt } = order;
  // It may have been stored at any time before the restore.
  const storedAt = facts.context.restoredAt ?? createdAt;
  const found = facts.lookedUp;
  if (found === undefined) {
    return { kind: 'need', fact: 'lookedUp', attempt: { clientOrderId, storedAt, code: null } };
  }
  if (found.kind === 'absent') {
    // Whether it was to rest, or to wait for a price, is lost with its request.
    const { requestHash, expiresAt } = order;
    const isLong = expiresAt.getTime() - createdAt.getTime() > LONGEST_IMMEDIATE_MS;
    return requestHash === RECOVERED && isLong ? returnFunds('service_interrupted') : undefined;
  }
  if (found.kind === 'not_yet_known') return lookUpAgain('place', storedAt, now);
  // A request that was recovered from the chain does not say that its order rests.
  const isLost = order.requestHash === RECOVERED && found.kind === 'resting';
  if (isLost || rests(order)) {
    const { listedMarket } = facts;
    if (listedMarket === undefined) return { kind: 'need', fact: 'listedMarket' };
    return adoptResting(order, found.exchangeOrderId, listedMarket?.shard);
  }
  if (found.kind === 'resting') return lookUpAgain('place', storedAt, now);
  return decided({
    from: 'place',
    set: { status: 'executing' },
    events: [{ type: 'executing' }],
    attempt: {
      clientOrderId,
      attempt: 1,
      // The price it was sent with is lost.
      limitPriceMicros: 0n,
      contractMicros: order.contractMicros,
      state: 'done',
      code: 'found_after_restore',
      exchangeOrderId: found.exchangeOrderId,
      filledContractMicros: found.filledContractMicros,
      storedAt: createdAt,
    },
    next: { kind: 'continue' },
  });
}
