import { expect, test } from 'vitest';
import { feeCurve, feeExample } from './fees.ts';

test('given the usual rule, a purchase costs its contracts and the fee', () => {
  expect(feeExample(60n)).toEqual({
    contractMicros: 100_000_000n,
    priceMicros: 600_000n,
    contractsCostMicros: 60_000_000n,
    feeMicros: 1_680_000n,
    totalMicros: 61_680_000n,
    payoutMicros: 100_000_000n,
  });
});

test('given prices equally far from the ends, the fee is the same, and highest in the middle', () => {
  const fees = feeCurve().map(({ feeMicros }) => feeMicros);
  expect(fees).toEqual([...fees].reverse());
  expect(fees.indexOf(1_750_000n)).toBe(49);
});
