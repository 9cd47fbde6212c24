import { describe, expect, it } from 'vitest';
import { valueChange, valuePoints } from './valuePoints.ts';

const point = (at: string, total: string | null) => ({
  at: `2026-11-21T0${at}.000Z`,
  cash: total,
  positions: '0',
  total,
  unpriced: 0,
});

describe('the value over time', () => {
  const points = [
    point('5:00:00', null),
    point('5:00:01', '100'),
    point('5:00:01', '101'),
    point('5:00:09', '94.567'),
  ];

  it('is drawn where it is known, each moment once', () => {
    expect(valuePoints(points).map(({ value }) => value)).toEqual([100, 94.56]);
  });

  it('changed from the first that is known to the last', () => {
    expect(valueChange(points)).toBe(-5_433_000n);
    expect(valueChange(points.slice(0, 2))).toBeUndefined();
  });
});
