import { expect, test } from 'vitest';
import { pairsOf } from './pairs.ts';

const held = (marketId: string, side: 'yes' | 'no', contractMicros: bigint) => ({
  marketId,
  side,
  contractMicros,
  status: 'open' as const,
});

test('given both sides of a market, the smaller one makes the pairs', () => {
  const positions = [held('A', 'yes', 9n), held('B', 'no', 20n), held('A', 'no', 4n)];
  expect(pairsOf(positions, 'A')).toBe(4n);
  expect(pairsOf(positions, 'B')).toBe(0n);
});

test('given a settled market, nothing is to be merged', () => {
  const settled = [held('A', 'yes', 9n), held('A', 'no', 4n)].map((one) => ({
    ...one,
    status: 'settled' as const,
  }));
  expect(pairsOf(settled, 'A')).toBe(0n);
});
