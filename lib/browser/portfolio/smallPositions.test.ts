import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyPositions } from '#lib/portfolio/testing/positions.ts';
import { withoutSmall } from './smallPositions.ts';

it.each([
  [0n, false],
  [9_999n, false],
  [10_000n, true],
  [10_001n, true],
])('given %d micros of a dollar, keeps the position: %s', (valueMicros, isStored) => {
  const position = { valueMicros, isUnpriced: false };
  expect(withoutSmall([position])).toEqual({
    positions: isStored ? [position] : [],
    smallCount: isStored ? 0 : 1,
  });
});

it('keeps positions that await their result', () => {
  const position = { valueMicros: 0n, isUnpriced: true };
  expect(withoutSmall([position])).toEqual({ positions: [position], smallCount: 0 });
});

it('keeps the order of the others and counts the omitted ones', () => {
  fc.assert(
    fc.property(anyPositions, (held) => {
      const { positions, smallCount } = withoutSmall(held);
      expect(positions.length + smallCount).toBe(held.length);
      expect(held.filter((one) => positions.includes(one))).toEqual(positions);
      expect(withoutSmall(positions)).toEqual({ positions, smallCount: 0 });
    }),
  );
});
