import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceOfSide, toBook } from './sides.ts';

describe('toBook', () => {
  it.each([
    ['buy', 'yes', 600_000n, 'bid', 600_000n],
    ['sell', 'yes', 600_000n, 'ask', 600_000n],
    ['buy', 'no', 600_000n, 'ask', 400_000n],
    ['sell', 'no', 600_000n, 'bid', 400_000n],
  ] as const)('%s %s at %s is %s at %s', (action, side, price, bookSide, yesPriceMicros) => {
    expect(toBook(action, side, price)).toEqual({ bookSide, yesPriceMicros });
  });

  it('is undone by priceOfSide', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 999_999n), fc.constantFrom('yes', 'no'), (price, side) => {
        expect(priceOfSide(side, toBook('buy', side, price).yesPriceMicros)).toBe(price);
      }),
    );
  });
});
