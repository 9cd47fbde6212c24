import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteLimitMicros } from './quote.ts';
import {
  averagePriceMicros,
  breakEvenMicros,
  priceImpactMicros,
  saleProfitMicros,
  ticketWarnings,
} from './quoteFigures.ts';
import { quote } from './testing/quotes.ts';

describe('averagePriceMicros', () => {
  it('excludes the fee of buys and sales', () => {
    expect(averagePriceMicros(quote, 'buy')).toBe(430_000n);
    expect(averagePriceMicros({ ...quote, totalUsdcMicros: 4_130_000n }, 'sell')).toBe(430_000n);
    expect(averagePriceMicros({ ...quote, contractMicros: 0n }, 'buy')).toBeUndefined();
  });
});

it('a sale’s profit is its proceeds minus the cost of the contracts', () => {
  const sale = { ...quote, totalUsdcMicros: 4_130_000n };
  expect(saleProfitMicros(sale, 400_000n)).toBe(130_000n);
  expect(saleProfitMicros(sale, 447_333n)).toBe(-343_330n);
});

describe('quoteLimitMicros', () => {
  it('never exceeds the slippage the user accepted', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 0, max: 1_000 }), (total, bps) => {
        const some = { ...quote, totalUsdcMicros: total };
        const most = quoteLimitMicros(some, 'buy', bps);
        const least = quoteLimitMicros(some, 'sell', bps);
        expect(most >= total && most * 10_000n <= total * (10_000n + BigInt(bps))).toBe(true);
        expect(least <= total && least * 10_000n >= total * (10_000n - BigInt(bps))).toBe(true);
      }),
    );
  });
});

describe('price impact', () => {
  it('is the distance from the first level', () => {
    expect(priceImpactMicros(quote, 'buy')).toBe(10_000n);
    expect(priceImpactMicros({ ...quote, bestPriceMicros: 440_000n }, 'buy')).toBe(0n);
    expect(priceImpactMicros({ ...quote, bestPriceMicros: null }, 'buy')).toBe(0n);
    const sale = { ...quote, totalUsdcMicros: 4_030_000n };
    expect(priceImpactMicros(sale, 'sell')).toBe(0n);
    expect(priceImpactMicros({ ...sale, bestPriceMicros: 450_000n }, 'sell')).toBe(30_000n);
  });

  it('given a large impact, warns', () => {
    const cash = 1_000_000_000n;
    expect(ticketWarnings(quote, 'buy', cash)).toEqual([]);
    expect(ticketWarnings({ ...quote, bestPriceMicros: 400_000n }, 'buy', cash)).toEqual([
      'largeImpact',
    ]);
  });
});

describe('ticketWarnings', () => {
  it('given an order that takes most of the cash, warns unless it is small', () => {
    const large = { ...quote, contractMicros: 100_000_000n, totalUsdcMicros: 44_700_000n };
    const calm = { ...large, feeUsdcMicros: 1_700_000n, bestPriceMicros: 430_000n };
    expect(ticketWarnings(calm, 'buy', 50_000_000n)).toEqual(['largeShare']);
    expect(ticketWarnings(calm, 'buy', 500_000_000n)).toEqual([]);
    expect(ticketWarnings(quote, 'buy', 5_000_000n)).toEqual([]);
  });

  it('given unknown or insufficient cash, names no share of it', () => {
    const large = { ...quote, contractMicros: 100_000_000n, totalUsdcMicros: 44_700_000n };
    const calm = { ...large, feeUsdcMicros: 1_700_000n, bestPriceMicros: 430_000n };
    expect(ticketWarnings(calm, 'buy', 0n)).toEqual([]);
    expect(ticketWarnings(calm, 'buy', 40_000_000n)).toEqual([]);
  });

  it('given an order that cannot profit, warns', () => {
    const dear = { ...quote, totalUsdcMicros: 10_000_000n, feeUsdcMicros: 5_700_000n };
    expect(ticketWarnings(dear, 'buy', 1_000_000_000n)).toEqual(['hardlyPays']);
  });
});

it('breaks even at a chance equal to the whole cost of a contract', () => {
  expect(breakEvenMicros(quote)).toBe(447_000n);
  expect(breakEvenMicros({ ...quote, contractMicros: 0n })).toBeUndefined();
});
