import { limitLockMicros } from '#lib/market/limitLock.ts';
import { feeFactors } from '#server/domain/markets/quotes/feeCharge.ts';
import { grantProblem } from '#server/domain/orders/lifecycle/grantProblem.ts';
import type { OrderContext } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import type { FeeRule } from '#server/exchange/port.ts';
import { type Decided, decided, type Needed } from './decision.ts';
import type { FactsOf } from './facts.ts';
import type { Lock } from './lock.ts';

export type SlowEndingFact = 'halt' | 'isVaultPaused' | 'account' | 'market' | 'reducibleMicros';

/** The exchange removes an order itself; only one that it has not is cancelled. */
const EXPIRY_GRACE_MS = 1_000;

/** Why an order that rests must end, by what is stored; undefined when it may rest on. */
export function findEnding(
  order: TradeOrder,
  { events }: OrderContext,
  lock: Lock,
  now: Date,
): TerminationReason | undefined {
  if (order.endingReason !== null) return undefined;
  if (order.cancelRequestedAt !== null) return 'cancelled';
  if (events.end_requested) return 'ended_on_chain';
  if (events.refunded) return 'refunded_on_chain';
  if (lock.kind === 'lost') return lock.reason;
  const end = order.restsUntil ?? order.expiresAt;
  return now.getTime() > end.getTime() + EXPIRY_GRACE_MS ? 'expired_unfilled' : undefined;
}

type SlowEnding = { kind: 'end'; reason: TerminationReason };

/**
 * The same by what must be read first. A market that reconciliation has suspended takes no new
 * orders and keeps those that rest; an admin's halt ends them.
 */
export function findSlowEnding(
  order: TradeOrder,
  facts: FactsOf<SlowEndingFact>,
  now: Date,
): SlowEnding | Needed<SlowEndingFact> | undefined {
  const { halt, isVaultPaused, account, reducibleMicros, settings } = facts;
  if (halt === undefined) return { kind: 'need', fact: 'halt' };
  if (halt !== null) return { kind: 'end', reason: 'trading_halted' };
  if (isVaultPaused === undefined) return { kind: 'need', fact: 'isVaultPaused' };
  if (isVaultPaused) return { kind: 'end', reason: 'vault_paused' };
  if (order.kind === 'api') {
    if (account === undefined) return { kind: 'need', fact: 'account' };
    const nothing = { orderUsdcMicros: 0n, isSigned: true };
    // An expired permission still covered the lock.
    if (grantProblem(account.grant, settings.vault, nothing, now) === 'grant_required') {
      return { kind: 'end', reason: 'permission_revoked' };
    }
  }
  const { market } = facts;
  if (market === undefined) return { kind: 'need', fact: 'market' };
  if ('fee' in market && !coversFee(order, market.fee))
    return { kind: 'end', reason: 'fee_raised' };
  if (!order.isReduceOnly || order.tradeAction === 'sell') return undefined;
  if (reducibleMicros === undefined) return { kind: 'need', fact: 'reducibleMicros' };
  const size = order.restingContractMicros ?? order.contractMicros;
  const remaining = size - (order.filledContractMicros ?? 0n);
  return reducibleMicros < remaining ? { kind: 'end', reason: 'nothing_to_reduce' } : undefined;
}

/** A maker pays at most half of the taker's fee; what crosses on arrival has been filled before. */
const MAKER_SHARE = 2n;

/** Whether what is locked, or what a sale must bring, allows for the fee that applies now. */
function coversFee(order: TradeOrder, fee: FeeRule): boolean {
  const { limitPriceMicros, tradeAction: action, contractMicros, quoteLimitUsdcMicros } = order;
  if (limitPriceMicros === null || fee.kind === 'unknown') return true;
  const { takerRateMicros, multiplierMicros } = feeFactors(fee);
  const maker = { takerRateMicros, multiplierMicros: multiplierMicros / MAKER_SHARE };
  const offer = { action, priceMicros: limitPriceMicros, fee: maker };
  const needed = limitLockMicros(offer, contractMicros);
  return action === 'buy' ? needed <= quoteLimitUsdcMicros : needed >= quoteLimitUsdcMicros;
}

/** Stores why the order ends; the next decision ends it at the exchange. */
export function beginEnding(reason: TerminationReason): Decided {
  return decided({
    from: 'rest',
    set: { endingReason: reason, amendPriceMicros: null, amendContractMicros: null },
    events: [{ type: 'ending', detail: reason }],
    next: { kind: 'continue' },
  });
}
