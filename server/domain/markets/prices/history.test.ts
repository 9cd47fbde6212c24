import { expect, it } from 'vitest';
import { rangeOf } from './history.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR_MS = 3_600_000;
const market = (openHoursAgo: number) => ({
  ticker: 'ROUND',
  seriesTicker: 'ROUND',
  openAt: new Date(NOW - openHoursAgo * HOUR_MS),
  closeAt: new Date(NOW + HOUR_MS),
});

it('given a younger market, shows its life in finer points', () => {
  const widths = [0.2, 6, 24, 24 * 8, 24 * 30, 24 * 600].map(
    (hours) => rangeOf('all', market(hours), NOW).bucketS,
  );
  expect(widths).toEqual([60, 60, 300, 1_800, 7_200, 21_600]);
  expect(rangeOf('all', market(6), NOW).spanS).toBeUndefined();
});

it('given a range, has its own span and width at any age', () => {
  expect(rangeOf('1d', market(2), NOW)).toEqual({ spanS: 86_400, bucketS: 300 });
});
