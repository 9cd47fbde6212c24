import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONTRACT_STEP_MICROS } from '#lib/money.ts';
import {
  affordableMicros,
  highestFeeMicros,
  type LimitOffer,
  limitLockMicros,
} from './limitLock.ts';
import { quadraticFeeMicros } from './takerFee.ts';

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

test('given any limit, no price within it has a higher fee than the highest', () => {
  const actions = fc.constantFrom<('buy' | 'sell')[]>('buy', 'sell');
  const tick = fc.bigInt(1n, 999n);
  fc.assert(
    fc.property(actions, tick, tick, fc.bigInt(1n, 100_000n), (action, one, other, steps) => {
      const [low, high] = one < other ? [one, other] : [other, one];
      const [limit, price] = action === 'buy' ? [high, low] : [low, high];
      const contractMicros = steps * CONTRACT_STEP_MICROS;
      const highest = highestFeeMicros(
        { action, priceMicros: limit * 1_000n, fee },
        contractMicros,
      );
      const charged = quadraticFeeMicros(fee, action, contractMicros, price * 1_000n);
      // What the exchange rounds a fill to.
      expect(charged).toBeLessThan(highest + 200n);
    }),
  );
});
