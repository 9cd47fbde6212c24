import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONTRACT_STEP_MICROS } from '#lib/money.ts';
import { affordableMicros, type LimitOffer, limitLockMicros } from './limitLock.ts';

const fee = { takerRateMicros: 70_000n, multiplierMicros: 1_000_000n };
const buy: LimitOffer = { action: 'buy', priceMicros: 420_000n, fee };

test('given a purchase, locks the price and the fee of a taker', () => {
  // 40 × 42¢ = $16.80; 0.07 × 40 × 0.42 × 0.58 = 0.68208, rounded up to 0.6821.
  expect(limitLockMicros(buy, 40_000_000n)).toBe(17_482_100n);
});

test('given a sale, brings the price less the fee', () => {
  expect(limitLockMicros({ ...buy, action: 'sell' }, 40_000_000n)).toBe(16_117_900n);
});

test('given any amount, a purchase of it keeps to the amount, and one step more does not', () => {
  fc.assert(
    fc.property(fc.bigInt(10_000n, 1_000_000_000n), fc.bigInt(1n, 999n), (amountMicros, tick) => {
      const offer = { ...buy, priceMicros: tick * 1_000n };
      const contractMicros = affordableMicros(offer, amountMicros);
      expect(contractMicros % CONTRACT_STEP_MICROS).toBe(0n);
      if (contractMicros > 0n) {
        expect(limitLockMicros(offer, contractMicros)).toBeLessThanOrEqual(amountMicros);
      }
      const more = limitLockMicros(offer, contractMicros + CONTRACT_STEP_MICROS);
      expect(more).toBeGreaterThan(amountMicros);
    }),
  );
});
