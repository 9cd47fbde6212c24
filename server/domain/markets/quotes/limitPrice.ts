import { type PriceRange, sideRanges, snapToTick } from '#lib/market/ticks.ts';
import { MICROS } from '#lib/money.ts';
import type { FeeRule, OutcomeSide, TradeAction } from '#server/exchange/port.ts';
import { exactTakerFee } from './feeCharge.ts';

export type LimitPriceInput = {
  /** Of the Yes price, as the exchange states them. */
  ranges: readonly PriceRange[];
  fee: FeeRule;
  action: TradeAction;
  side: OutcomeSide;
  contractMicros: bigint;
  /** Buy: maximum to spend. Sell: minimum to receive. Fees included. */
  quoteLimitUsdcMicros: bigint;
};

/**
 * The worst price per contract of `side` at which the whole order still keeps its limit, fee
 * included; undefined when there is none.
 *
 * The limit then holds for every fill at this price or better: a contract costs `p + k·p·(1−p)`
 * with its fee and brings `p − k·p·(1−p)`. With k < 1 both grow with p, so no better price costs
 * more (or brings less) than that price itself, and the sum over any fills is at most that of the
 * whole order at that price. The exchange's per-fill rounding of fees remains; the house bears
 * micro-units beyond the limit (see orders/create/tradeAmounts.ts).
 */
export function limitPriceFor(input: LimitPriceInput): bigint | undefined {
  const grid = sideRanges(input.ranges, input.side);
  const keeps = (priceMicros: bigint) => keepsLimit(input, priceMicros);
  const toward = input.action === 'buy' ? 'down' : 'up';
  const best = snapToTick(grid, input.action === 'buy' ? 0n : MICROS, opposite(toward));
  const worst = snapToTick(grid, input.action === 'buy' ? MICROS : 0n, toward);
  if (best === undefined || worst === undefined || !keeps(best)) return undefined;
  if (keeps(worst)) return worst;
  // Invariant: `good` keeps the limit, `bad` does not; neither needs to be on the grid.
  let good = best;
  let bad = worst;
  while (distance(good, bad) > 1n) {
    const middle = (good + bad) / 2n;
    if (keeps(middle)) good = middle;
    else bad = middle;
  }
  return snapToTick(grid, good, toward);
}

/** Compares exact fractions: rounding would make the predicate non-monotonic. */
function keepsLimit(input: LimitPriceInput, priceMicros: bigint): boolean {
  if (input.fee.kind === 'unknown') return false;
  const fee = exactTakerFee(input.fee, input.contractMicros, priceMicros);
  const value = divideExactly(input.contractMicros * priceMicros, fee.denominator);
  const limit = input.quoteLimitUsdcMicros * fee.denominator;
  return input.action === 'buy' ? value + fee.numerator <= limit : value - fee.numerator >= limit;
}

/** Contracts times price in USDC micros, over the fee's denominator. */
function divideExactly(product: bigint, denominator: bigint): bigint {
  return product * (denominator / MICROS);
}

function opposite(direction: 'down' | 'up'): 'down' | 'up' {
  return direction === 'down' ? 'up' : 'down';
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}
