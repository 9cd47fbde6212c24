import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averagePriceMicros, boundMicros, isWorse, type TicketQuote } from './quote.ts';

const quote: TicketQuote = {
  contractMicros: 10_000_000n,
  fillable: true,
  totalUsdcMicros: 4_470_000n,
  feeUsdcMicros: 170_000n,
  atMs: 0,
};

describe('averagePriceMicros', () => {
  it('leaves the fee out, whichever way it went', () => {
    expect(averagePriceMicros(quote, 'buy')).toBe(430_000n);
    expect(averagePriceMicros({ ...quote, totalUsdcMicros: 4_130_000n }, 'sell')).toBe(430_000n);
    expect(averagePriceMicros({ ...quote, contractMicros: 0n }, 'buy')).toBeUndefined();
  });
});

describe('boundMicros', () => {
  it('never lets a user agree to more than the slippage', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 0, max: 1_000 }), (total, bps) => {
        const some = { ...quote, totalUsdcMicros: total };
        const most = boundMicros(some, 'buy', bps);
        const least = boundMicros(some, 'sell', bps);
        expect(most >= total && most * 10_000n <= total * (10_000n + BigInt(bps))).toBe(true);
        expect(least <= total && least * 10_000n >= total * (10_000n - BigInt(bps))).toBe(true);
      }),
    );
  });
});

describe('isWorse', () => {
  it('accepts the same or a better price silently', () => {
    expect(isWorse(quote, { ...quote, totalUsdcMicros: 4_460_000n }, 'buy')).toBe(false);
    expect(isWorse(quote, { ...quote, totalUsdcMicros: 4_480_000n }, 'sell')).toBe(false);
    expect(isWorse(quote, quote, 'buy')).toBe(false);
  });

  it('asks about a higher cost, lower proceeds, another quantity or a thinner book', () => {
    expect(isWorse(quote, { ...quote, totalUsdcMicros: 4_470_001n }, 'buy')).toBe(true);
    expect(isWorse(quote, { ...quote, totalUsdcMicros: 4_469_999n }, 'sell')).toBe(true);
    expect(isWorse(quote, { ...quote, contractMicros: 9_000_000n }, 'buy')).toBe(true);
    expect(isWorse(quote, { ...quote, fillable: false }, 'buy')).toBe(true);
  });
});
