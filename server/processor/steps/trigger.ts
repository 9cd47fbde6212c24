import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';
import type { OrderRow, TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import { asTradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import {
  type Decided,
  type Decision,
  decided,
  lookUpAgain,
  PARK_FOR_CHAIN_MS,
  park,
} from './decision.ts';
import type { FactsOf } from './facts.ts';
import { decideLock, type LockFact } from './lock.ts';
import { findEnding, findSlowEnding, type SlowEndingFact } from './restEndings.ts';

type TriggerFacts = FactsOf<LockFact | SlowEndingFact | 'lookedUp'>;

/** Between visits of an order that nothing wakes: its price, its owner and its market do. */
const CHECK_MS = 5 * 60_000;
const AFTER_DEADLINE_MS = 1_500;

/**
 * A stop order waits with locked funds until its price is reached, which
 * `domain/orders/lifecycle/triggerStore.ts` records once. Nothing is at the exchange meanwhile, so
 * every other end returns the funds at once.
 */
export function decideTrigger(row: OrderRow, facts: TriggerFacts, now: Date): Decision {
  const order = asTradeOrder(row);
  const lock = decideLock(order, facts, now);
  if (lock.kind === 'need') return lock;
  const reason = findEnding(order, facts.context, lock, now);
  if (reason !== undefined) return endWaiting(reason);
  const placed = facts.context.mayPredateRestore ? findPlaced(order, facts, now) : undefined;
  if (placed) return placed;
  if (lock.kind === 'awaited') return park('trigger', PARK_FOR_CHAIN_MS);
  const ending = findSlowEnding(order, facts, now);
  if (ending) return ending.kind === 'need' ? ending : endWaiting(ending.reason);
  if (isClosed(facts)) return endWaiting('market_closed');
  if (order.triggeredAt !== null) return release();
  return park('trigger', untilNextMs(order, facts, now));
}

/** Until its deadline, or the planned close of its market. */
function untilNextMs(order: TradeOrder, { market }: TriggerFacts, now: Date): number {
  const times = [order.restsUntil ?? order.expiresAt];
  if (market && 'market' in market && market.market.closeAt > now)
    times.push(market.market.closeAt);
  const earliest = Math.min(...times.map((time) => time.getTime()));
  return Math.min(CHECK_MS, earliest - now.getTime() + AFTER_DEADLINE_MS);
}

function isClosed({ market }: TriggerFacts): boolean {
  const status = market && 'market' in market ? market.market.status : undefined;
  return status === 'closed' || status === 'settled';
}

/** From here on it is an order like any other of its kind. */
function release(): Decided {
  return decided({ from: 'trigger', set: { stage: 'place' }, next: { kind: 'continue' } });
}

function endWaiting(reason: TerminationReason): Decided {
  return decided({
    from: 'trigger',
    set: { stage: 'refund', endingReason: reason },
    events: [{ type: 'returning', detail: reason }],
    next: { kind: 'continue' },
  });
}

/**
 * The period that a restore lost may have released the order. Then the exchange knows it, and
 * placing resumes with what the exchange has.
 */
function findPlaced(order: TradeOrder, facts: TriggerFacts, now: Date): Decision | undefined {
  const clientOrderId = clientOrderIdOf(order.id, 1);
  const storedAt = facts.context.restoredAt ?? order.createdAt;
  const found = facts.lookedUp;
  if (found === undefined) {
    return { kind: 'need', fact: 'lookedUp', attempt: { clientOrderId, storedAt, code: null } };
  }
  if (found.kind === 'not_yet_known') return lookUpAgain('trigger', storedAt, now);
  return found.kind === 'absent' ? undefined : { ...release(), stamp: ['triggeredAt'] };
}
