import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWorse, leastContractMicros } from './orderTerms.ts';
import { quote } from './testing/quotes.ts';

describe('isWorse', () => {
  it('is false for the same or a better price', () => {
    expect(isWorse(quote, { ...quote, totalUsdcMicros: 4_460_000n }, 'buy')).toBe(false);
    expect(isWorse(quote, { ...quote, totalUsdcMicros: 4_480_000n }, 'sell')).toBe(false);
    expect(isWorse(quote, quote, 'buy')).toBe(false);
  });

  it('is true for a higher cost, lower proceeds, another quantity or a thinner book', () => {
    expect(isWorse(quote, { ...quote, totalUsdcMicros: 4_470_001n }, 'buy')).toBe(true);
    expect(isWorse(quote, { ...quote, totalUsdcMicros: 4_469_999n }, 'sell')).toBe(true);
    expect(isWorse(quote, { ...quote, contractMicros: 9_000_000n }, 'buy')).toBe(true);
    expect(isWorse(quote, { ...quote, fillable: false }, 'buy')).toBe(true);
  });

  it('given an amount, is true when it buys fewer contracts or each one costs more', () => {
    const capped = { ...quote, capUsdcMicros: 4_500_000n };
    const fewer = { ...capped, contractMicros: 9_900_000n };
    expect(isWorse(capped, capped, 'buy')).toBe(false);
    expect(isWorse(capped, { ...capped, contractMicros: 10_100_000n }, 'buy')).toBe(false);
    expect(isWorse(capped, fewer, 'buy')).toBe(true);
    expect(isWorse(capped, { ...capped, totalUsdcMicros: 4_480_000n }, 'buy')).toBe(true);
  });
});

describe('leastContractMicros', () => {
  it('given an amount, accepts no price beyond the slippage, to a step of contracts', () => {
    const total = fc.bigInt({ min: 100_000n, max: 10n ** 11n });
    const bought = fc.bigInt({ min: 100n, max: 10n ** 7n }).map((steps) => steps * 10_000n);
    fc.assert(
      fc.property(total, bought, fc.integer({ min: 0, max: 1_000 }), (paid, count, bps) => {
        const shown = { ...quote, totalUsdcMicros: paid, contractMicros: count };
        const least = leastContractMicros(shown, paid, bps);
        expect(least % 10_000n).toBe(0n);
        expect(least <= count).toBe(true);
        // One step more would accept less than the slippage.
        const next = (least + 10_000n) * (10_000n + BigInt(bps));
        expect(next > count * 10_000n).toBe(true);
      }),
    );
  });
});
