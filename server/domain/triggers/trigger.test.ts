import { describe, expect, it } from 'vitest';
import { isReached } from '#lib/market/triggerWords.ts';
import { watchedPriceMicros } from './trigger.ts';

const level = (cents: number) => ({ priceMicros: BigInt(cents) * 10_000n, contractMicros: 1n });
const prices = {
  book: { ticker: 'T', yesBids: [level(40), level(39)], noBids: [level(55), level(50)] },
  lastYesPriceMicros: 420_000n,
};

describe('watchedPriceMicros', () => {
  it.each([
    ['yes', 'bid', 400_000n],
    ['yes', 'ask', 450_000n],
    ['yes', 'last', 420_000n],
    ['no', 'bid', 550_000n],
    ['no', 'ask', 600_000n],
    ['no', 'last', 580_000n],
  ] as const)('given %s and its %s, is that of the outcome', (side, source, expected) => {
    expect(watchedPriceMicros({ side, source }, prices)).toBe(expected);
  });

  it('given an empty side or no trade, is undefined', () => {
    const nothing = {
      book: { ticker: 'T', yesBids: [], noBids: [] },
      lastYesPriceMicros: undefined,
    };
    for (const source of ['bid', 'ask', 'last'] as const) {
      expect(watchedPriceMicros({ side: 'yes', source }, nothing)).toBeUndefined();
    }
  });
});

describe('isReached', () => {
  it.each([
    ['below', 399_999n, true],
    ['below', 400_000n, true],
    ['below', 400_001n, false],
    ['above', 399_999n, false],
    ['above', 400_000n, true],
    ['above', 400_001n, true],
  ] as const)('given 40¢ %s and %s, says %s', (direction, watched, expected) => {
    expect(isReached({ priceMicros: 400_000n, direction }, watched)).toBe(expected);
  });
});
