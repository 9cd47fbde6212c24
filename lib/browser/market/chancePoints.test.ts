import { expect, it } from 'vitest';
import { endingAt } from './chancePoints.ts';

const recorded = [
  { time: 1, value: 37 },
  { time: 2, value: 38.5 },
];

it('given a newer chance or a result, ends the line there', () => {
  expect(endingAt(recorded, 395_000n)).toEqual([
    { time: 1, value: 37 },
    { time: 2, value: 39.5 },
  ]);
  expect(endingAt(recorded, 1_000_000n).at(-1)).toEqual({ time: 2, value: 100 });
});

it('given no chance or no record, draws what is recorded', () => {
  expect(endingAt(recorded, null)).toEqual(recorded);
  expect(endingAt([], 395_000n)).toEqual([]);
});
