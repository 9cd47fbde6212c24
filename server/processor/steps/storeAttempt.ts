import { isHaltedByAdmin } from '#server/domain/admin/suspensions.ts';
import { isBeyondLimits } from '#server/domain/limits/enforce.ts';
import { limitPriceFor } from '#server/domain/markets/quotes/limitPrice.ts';
import { getRecentTradingMarket } from '#server/domain/markets/quotes/tradingMarket.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/clientOrderId.ts';
import type { OrderContext } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import type { Transition } from '#server/domain/orders/lifecycle/transition.ts';
import { ServiceError } from '#server/platform/errors.ts';
import type { StepDeps } from '../runner/stepDeps.ts';
import { findLock } from './findLock.ts';
import { PARK_FOR_CHAIN_MS, placingBudgetMs } from './step.ts';
import { leaveRoom, takeRoom } from './takeRoom.ts';

/** Between looks at a market, or an exchange, that takes no orders for now. */
export const EXCHANGE_WAIT_MS = 3_000;
/** New client order ids per order; each one follows a proven no-fill. */
const MAX_ATTEMPTS = 20;

export function timeLeftMs(order: TradeOrder): number {
  return order.expiresAt.getTime() - Date.now();
}

export function parkFor(delayMs: number): Transition {
  return { from: 'place', next: { kind: 'park', delayMs } };
}

export function returnFunds(reason: TerminationReason): Transition {
  return {
    from: 'place',
    set: { stage: 'refund', endingReason: reason },
    events: [{ type: 'returning', detail: reason }],
    next: { kind: 'continue' },
  };
}

/** Stores that the exchange is about to be asked, if it still may be; answers what to do instead. */
export async function storeAttempt(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderContext,
  attempt: number,
): Promise<Transition> {
  if (facts.event('refunded')) return returnFunds('refunded_on_chain');
  if (timeLeftMs(order) < placingBudgetMs(deps) || attempt > MAX_ATTEMPTS) {
    return returnFunds(attempt > 1 ? 'exchange_unavailable' : 'expired');
  }
  const stop = await findStop(deps, order, facts);
  if (stop && 'reason' in stop) return returnFunds(stop.reason);
  if (stop) return { ...parkFor(stop.waitMs), ...leaveRoom(order) };
  const bound = await readBound(deps, order);
  if ('reason' in bound) return returnFunds(bound.reason);
  if ('waitMs' in bound) return { ...parkFor(bound.waitMs), ...leaveRoom(order) };
  // Last: from here on it keeps room from others.
  const room = await takeRoom(deps, order);
  if (room) return 'reason' in room ? returnFunds(room.reason) : parkFor(room.waitMs);
  return {
    from: 'place',
    set: { status: 'executing' },
    events: attempt === 1 ? [{ type: 'executing' }] : [],
    attempt: {
      clientOrderId: clientOrderIdOf(order.id, attempt),
      attempt,
      limitPriceMicros: bound.limitPriceMicros,
      contractMicros: order.contractMicros,
      state: 'stored',
    },
    next: { kind: 'continue' },
  };
}

/** What keeps an order from the exchange: for good, or for now. */
export type Stop = { reason: TerminationReason } | { waitMs: number };

/** What chain and operators have changed since the order was taken; before the exchange is asked it counts. */
export async function findStop(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderContext,
): Promise<Stop | undefined> {
  const lock = await findLock(deps, order, facts);
  if (lock === 'awaited') return { waitMs: PARK_FOR_CHAIN_MS };
  if (lock !== 'stands') return { reason: lock.lost };
  const stopped = await isHaltedByAdmin(deps, order.ticker);
  if (stopped) return { reason: stopped };
  return (await isBeyondLimits(deps.database, order)) ? { reason: 'limit_reached' } : undefined;
}

async function readBound(
  deps: StepDeps,
  order: TradeOrder,
): Promise<{ limitPriceMicros: bigint } | Stop> {
  try {
    const { market, fee } = await getRecentTradingMarket(deps, order.ticker);
    if (market.status === 'paused' || market.status === 'unopened') {
      const lastChance = timeLeftMs(order) - EXCHANGE_WAIT_MS < placingBudgetMs(deps);
      return lastChance ? { reason: 'market_paused' } : { waitMs: EXCHANGE_WAIT_MS };
    }
    if (market.status !== 'open') return { reason: 'market_closed' };
    const limitPriceMicros = limitPriceFor({
      ranges: market.priceRanges,
      fee,
      action: order.tradeAction,
      side: order.side,
      contractMicros: order.contractMicros,
      quoteLimitUsdcMicros: order.quoteLimitUsdcMicros,
    });
    return limitPriceMicros === undefined ? { reason: 'price_moved' } : { limitPriceMicros };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'market_not_found') {
      return { reason: 'market_not_found' };
    }
    if (error instanceof ServiceError && error.code === 'fee_unknown') {
      return { reason: 'exchange_refused' };
    }
    throw error;
  }
}
