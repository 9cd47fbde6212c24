import { describe, expect, it } from 'vitest';
import { profitOver, valuePoints } from './valuePoints.ts';

const point = (at: string, total: string | null, profit = '0') => ({
  at: `2026-11-21T0${at}.000Z`,
  cash: total,
  positions: '0',
  total,
  profit,
  unpriced: 0,
});

describe('the value over time', () => {
  const points = [
    point('5:00:00', null),
    point('5:00:01', '100', '1.5'),
    point('5:00:01', '101', '1.5'),
    point('5:00:09', '94.567', '-0.25'),
  ];

  it('is drawn where it is known, each moment once', () => {
    expect(valuePoints(points).map(({ value }) => value)).toEqual([100, 94.56]);
  });

  it('made what trading made from the first point to the last, whatever came and went', () => {
    expect(profitOver(points)).toBe(-250_000n);
    expect(profitOver(points.slice(1))).toBe(-1_750_000n);
    expect(profitOver(points.slice(0, 1))).toBeUndefined();
    expect(profitOver([])).toBeUndefined();
  });
});
