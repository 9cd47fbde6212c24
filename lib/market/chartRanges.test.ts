import { expect, it } from 'vitest';
import { chartRanges, firstRange, isShortRound } from './chartRanges.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const life = (openHoursAgo: number, closeInHours: number) => ({
  openTime: new Date(NOW - openHoursAgo * 3_600_000).toISOString(),
  closeTime: new Date(NOW + closeInHours * 3_600_000).toISOString(),
});

it('given a market of three hours, offers an hour and everything', () => {
  expect(chartRanges(life(3, 40), NOW)).toEqual(['1h', 'all']);
  expect(firstRange(life(3, 40), NOW)).toBe('all');
});

it('given a market of minutes, offers everything only', () => {
  expect(chartRanges(life(0.2, 0.05), NOW)).toEqual(['all']);
});

it('given an old market, offers each range and starts with the last day', () => {
  expect(chartRanges(life(24 * 40, 5), NOW)).toEqual(['1h', '6h', '1d', '1w', '1m', 'all']);
  expect(firstRange(life(24 * 40, 5), NOW)).toBe('1d');
});

it('given a market that closed, leaves out ranges that begin after its end', () => {
  expect(chartRanges(life(24 * 40, -30), NOW)).toEqual(['1w', '1m', 'all']);
  expect(firstRange(life(24 * 40, -30), NOW)).toBe('all');
});

it('given a life of at most six hours so far, it is a short round', () => {
  expect(isShortRound(life(5, 100), NOW)).toBe(true);
  expect(isShortRound(life(7, 100), NOW)).toBe(false);
  expect(isShortRound(life(50, -45), NOW)).toBe(true);
});
