import { describe, expect, it } from 'vitest';
import { impliedChance, type MarketPrices } from './marketView.ts';

const empty: MarketPrices = {
  yesBidMicros: null,
  yesAskMicros: null,
  noBidMicros: null,
  noAskMicros: null,
  lastPriceMicros: null,
};

describe('impliedChance', () => {
  it('is the middle of a narrow book', () => {
    const book = { ...empty, yesBidMicros: 420_000n, yesAskMicros: 440_000n };
    expect(impliedChance({ ...book, lastPriceMicros: 700_000n })).toBe(430_000n);
  });

  it('is the last trade when the book is wide or one-sided', () => {
    const wide = { ...empty, yesBidMicros: 100_000n, yesAskMicros: 900_000n };
    expect(impliedChance({ ...wide, lastPriceMicros: 300_000n })).toBe(300_000n);
    expect(impliedChance({ ...empty, yesBidMicros: 420_000n, lastPriceMicros: 310_000n })).toBe(
      310_000n,
    );
  });

  it('is nothing when nobody has said anything', () => {
    expect(impliedChance(empty)).toBeNull();
    expect(impliedChance({ ...empty, yesAskMicros: 5_000n })).toBeNull();
  });

  it('is the payout once settled', () => {
    expect(impliedChance({ ...empty, lastPriceMicros: 5_000n, payoutYesMicros: 1_000_000n })).toBe(
      1_000_000n,
    );
  });
});
