import { type PriceRange, sideRanges, snapToTick } from '#lib/market/ticks.ts';
import { orderTerms } from '#server/domain/orders/create/orderTerms.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';
import {
  isSizedByAmount,
  rests,
  type TradeOrder,
} from '#server/domain/orders/lifecycle/orderRow.ts';
import {
  fillBy,
  placingBudgetMs,
  ROOM_WAIT_MS,
} from '#server/domain/orders/lifecycle/placingTime.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import { type Decided, decided, type Needed, PARK_FOR_CHAIN_MS, park } from './decision.ts';
import type { FactsOf, StepSettings } from './facts.ts';
import { decideLock, type LockFact } from './lock.ts';
import { decideShardCash, wasUnfunded } from './shardCash.ts';

type StopFact = LockFact | 'halt' | 'isBeyondLimits';
export type StoringFact = StopFact | 'market' | 'orderBook' | 'room' | 'shardCash' | 'priceClaim';

/** Between reads of a market, or an exchange, that does not accept orders now. */
export const EXCHANGE_WAIT_MS = 3_000;
/** New client order ids per order; each one follows a proven no-fill. */
const MAX_ATTEMPTS = 20;

/** A resting order that would leave the book sooner than this is not sent. */
const LEAST_REST_MS = 5_000;
/** Until an order that takes from the book at the price of this one is resolved. */
const CLAIM_WAIT_MS = 1_000;

/**
 * Time in which an order may still be sent; negative when it is too late. The vault gives a resting
 * order's delivery its own time after its end at the exchange.
 */
export function placingTimeMs(order: TradeOrder, settings: StepSettings, now: Date): number {
  if (order.restsUntil && rests(order)) {
    return order.restsUntil.getTime() - now.getTime() - LEAST_REST_MS;
  }
  return fillBy(order).getTime() - now.getTime() - placingBudgetMs(settings);
}

export function returnFunds(reason: TerminationReason): Decided {
  return decided({
    from: 'place',
    set: { stage: 'refund', endingReason: reason },
    events: [{ type: 'returning', detail: reason }],
    next: { kind: 'continue' },
  });
}

/** What prevents an order from being sent: permanently, or for now. */
export type Stop = { kind: 'stop'; reason: TerminationReason } | { kind: 'wait'; waitMs: number };

/**
 * Stores the attempt about to be sent, if it still may be; otherwise decides what to do instead.
 */
export function decideStoring(
  order: TradeOrder,
  facts: FactsOf<StoringFact>,
  now: Date,
  attempt: number,
): Decided | Needed<StoringFact> {
  if (facts.context.events.refunded) return returnFunds('refunded_on_chain');
  if (order.cancelRequestedAt !== null && rests(order)) return returnFunds('cancelled');
  if (placingTimeMs(order, facts.settings, now) < 0 || attempt > MAX_ATTEMPTS) {
    const reason = wasUnfunded(facts.context.attempt)
      ? 'exchange_unfunded'
      : 'exchange_unavailable';
    return returnFunds(attempt > 1 ? reason : 'expired');
  }
  const limit =
    findStop(order, facts, now) ?? decideShardCash(facts) ?? decideTerms(order, facts, now);
  if (limit.kind === 'need') return limit;
  if (limit.kind === 'stop') return returnFunds(limit.reason);
  if (limit.kind === 'wait') return { ...park('place', limit.waitMs), ...leaveRoom(order) };
  const claim = rests(order) ? decideClaim(facts, limit.limitPriceMicros) : undefined;
  if (claim) return claim;
  // Last, because from here on the order takes room from others. A resting order takes room for
  // what it has filled: in 90 days the vault's hourly caps renew.
  const room = order.roomReservedAt === null && !rests(order) ? facts.room : 'reserved';
  const placingMs = placingBudgetMs(facts.settings) + ROOM_WAIT_MS;
  if (room === undefined) return { kind: 'need', fact: 'room', placingMs };
  if (room === 'wait') return park('place', ROOM_WAIT_MS);
  if (room !== 'reserved') return returnFunds(room.reason);
  return decided({
    from: 'place',
    set: { status: 'executing' },
    events: attempt === 1 ? [{ type: 'executing' }] : [],
    attempt: {
      clientOrderId: clientOrderIdOf(order.id, attempt),
      attempt,
      shard: limit.shard,
      limitPriceMicros: limit.limitPriceMicros,
      contractMicros: limit.contractMicros,
      state: 'stored',
    },
    next: { kind: 'continue' },
  });
}

/** An order of ours may rest only where it meets no other one. */
function decideClaim(
  { priceClaim }: FactsOf<'priceClaim'>,
  priceMicros: bigint,
): Decided | Needed<'priceClaim'> | undefined {
  if (priceClaim === undefined) return { kind: 'need', fact: 'priceClaim', priceMicros };
  if (priceClaim === 'crosses') return returnFunds('crosses_open_order');
  return priceClaim === 'wait' ? park('place', CLAIM_WAIT_MS) : undefined;
}

/** Releases room while an order waits for something else. */
function leaveRoom(order: TradeOrder): Pick<Decided, 'set'> {
  const isUnused = order.roomReservedAt !== null && order.status !== 'executing';
  return isUnused ? { set: { roomReservedAt: null } } : {};
}

/**
 * What chain and admins have changed since the order was accepted; it counts until the order is
 * sent.
 */
export function findStop(
  order: TradeOrder,
  facts: FactsOf<StopFact>,
  now: Date,
): Stop | Needed<StopFact> | undefined {
  const lock = decideLock(order, facts, now);
  if (lock.kind === 'need') return lock;
  if (lock.kind === 'awaited') return { kind: 'wait', waitMs: PARK_FOR_CHAIN_MS };
  if (lock.kind === 'lost') return { kind: 'stop', reason: lock.reason };
  if (facts.halt === undefined) return { kind: 'need', fact: 'halt' };
  if (facts.halt !== null) return { kind: 'stop', reason: facts.halt };
  if (facts.isBeyondLimits === undefined) return { kind: 'need', fact: 'isBeyondLimits' };
  return facts.isBeyondLimits ? { kind: 'stop', reason: 'limit_reached' } : undefined;
}

type Terms = { kind: 'terms'; limitPriceMicros: bigint; contractMicros: bigint; shard: number };

/** The price and the count to send: of an order for an amount, those that the book allows now. */
function decideTerms(
  order: TradeOrder,
  facts: FactsOf<'market' | 'orderBook'>,
  now: Date,
): Terms | Stop | Needed<'market' | 'orderBook'> {
  if (facts.market === undefined) return { kind: 'need', fact: 'market' };
  if ('problem' in facts.market) {
    const isUnknown = facts.market.problem === 'market_not_found';
    return { kind: 'stop', reason: isUnknown ? 'market_not_found' : 'exchange_refused' };
  }
  const { market } = facts.market;
  if (market.status === 'paused' || market.status === 'unopened') {
    const isLastChance = placingTimeMs(order, facts.settings, now) < EXCHANGE_WAIT_MS;
    return isLastChance
      ? { kind: 'stop', reason: 'market_paused' }
      : { kind: 'wait', waitMs: EXCHANGE_WAIT_MS };
  }
  if (market.status !== 'open') return { kind: 'stop', reason: 'market_closed' };
  if (rests(order)) return restingTerms(order, market.priceRanges, market.shard);
  const isForAmount = isSizedByAmount(order);
  if (isForAmount && facts.orderBook === undefined) return { kind: 'need', fact: 'orderBook' };
  const { own } = facts.market;
  const terms = orderTerms(order, facts.market, isForAmount ? facts.orderBook : undefined, own);
  return terms
    ? { kind: 'terms', ...terms, shard: market.shard }
    : { kind: 'stop', reason: 'price_moved' };
}

/** The market's grid may have changed since the order was accepted. */
function restingTerms(
  { side, limitPriceMicros, restingContractMicros, contractMicros }: TradeOrder,
  ranges: readonly PriceRange[],
  shard: number,
): Terms | Stop {
  const price = limitPriceMicros ?? 0n;
  if (snapToTick(sideRanges(ranges, side), price, 'down') !== price) {
    return { kind: 'stop', reason: 'price_not_allowed' };
  }
  const size = restingContractMicros ?? contractMicros;
  return { kind: 'terms', limitPriceMicros: price, contractMicros: size, shard };
}
