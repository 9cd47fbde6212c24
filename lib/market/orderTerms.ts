import type { MarketTerms } from '#lib/api/schemas/market.ts';
import { parseMicros } from '#lib/money.ts';
import type { QuadraticFee } from './takerFee.ts';
import type { PriceRange } from './ticks.ts';

/** The prices of Yes that orders may have. */
export function gridOf({ priceRanges }: MarketTerms): PriceRange[] {
  return priceRanges.map(({ startDollars, endDollars, stepDollars }) => ({
    startMicros: parseMicros(startDollars),
    endMicros: parseMicros(endDollars),
    stepMicros: parseMicros(stepDollars),
  }));
}

/** Undefined while the fee is not known. */
export function feeOf({ takerFee }: MarketTerms): QuadraticFee | undefined {
  if (!takerFee) return undefined;
  return {
    takerRateMicros: parseMicros(takerFee.rate),
    multiplierMicros: parseMicros(takerFee.multiplier),
  };
}
