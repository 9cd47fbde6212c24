import { describe, expect, it } from 'vitest';
import { DOLLAR_SCALE } from '#components/market/chartLines.ts';
import { dollarsDown } from '#lib/format/money.ts';
import { isBehind, profitOver, profitPoints, valuePoints } from './valuePoints.ts';

const point = (at: string, total: string | null, profit = '0') => ({
  at: `2026-11-21T0${at}.000Z`,
  cash: total,
  positions: '0',
  inOrders: '0',
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

  it('has each known moment once and ends with the current value', () => {
    const more = [...points, point('5:00:12', '95')];
    expect(valuePoints(more, 95_000_000n).map(({ value }) => value)).toEqual([100, 94.567, 95]);
    expect(valuePoints(points, 94_315_900n).map(({ value }) => value)).toEqual([100, 94.3159]);
    expect(valuePoints([], 1_000_000n)).toEqual([]);
  });

  it('is rounded like the sums above it', () => {
    const now = 9_975_318_000n;
    const last = valuePoints(points, now).at(-1);
    expect(DOLLAR_SCALE.format(last?.value ?? 0)).toBe(dollarsDown(now));
  });

  it('is stale when it ends a hundredth or more off the current value', () => {
    expect(isBehind(points, 94_600_000n)).toBe(false);
    expect(isBehind(points, 96_000_000n)).toBe(true);
    expect(isBehind(points, 93_000_000n)).toBe(true);
    expect(isBehind([], 93_000_000n)).toBe(false);
    expect(isBehind([point('5:00:00', null)], 93_000_000n)).toBe(false);
  });

  it('given an account older than the range, gives the profit since its start', () => {
    const day = { ...point('5:00:09', '100', '-1'), at: '2026-11-20T05:00:09.000Z' };
    const older = [day, ...points];
    expect(profitOver(older, '1d')).toBe(750_000n);
    expect(profitPoints(older, '1d').map(({ value }) => value)).toEqual([0, 1, 2.5, 0.75]);
    expect(profitOver(older, 'all')).toBe(-250_000n);
  });

  it('given an account that began with a trade, counts that trade from nothing', () => {
    const young = points.slice(1);
    expect(profitOver(young, '1d')).toBe(-250_000n);
    expect(profitPoints(young, '1d').map(({ value }) => value)).toEqual([0, 1.5, -0.25]);
    expect(profitOver(young, 'all')).toBe(-250_000n);
    expect(profitOver(young.slice(0, 1), '1d')).toBeUndefined();
    expect(profitOver([], '1d')).toBeUndefined();
  });

  it('given a deposit, shows no profit from it', () => {
    const deposited = [
      point('5:00:00', '100', '-0.000002'),
      point('5:00:01', '1100', '-0.000002'),
      point('5:00:02', '1100.000003', '0.000001'),
    ];
    expect(profitPoints(deposited, '1d').map(({ value }) => value)).toEqual([
      0, -0.000002, -0.000002, 0.000001,
    ]);
    expect(profitOver(deposited, '1d')).toBe(1n);
    expect(profitPoints([], '1d')).toEqual([]);
  });
});
