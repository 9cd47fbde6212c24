import { expect, test } from 'vitest';
import { createStaleness } from './staleness.ts';

test('given no reading of the primary, any age is possible', () => {
  expect(createStaleness().of(5n, 1_000)).toBe(Number.POSITIVE_INFINITY);
});

test('given a standby that has all of the log, its data is as old as the last reading', () => {
  const staleness = createStaleness();
  staleness.primaryAt(10n, 1_000);
  staleness.primaryAt(20n, 1_200);
  expect(staleness.of(20n, 1_300)).toBe(100);
  expect(staleness.of(25n, 1_300)).toBe(100);
});

test('given a standby that lags, its data is as old as the last position that it has passed', () => {
  const staleness = createStaleness();
  staleness.primaryAt(10n, 1_000);
  staleness.primaryAt(20n, 1_200);
  staleness.primaryAt(30n, 1_400);
  expect(staleness.of(19n, 1_500)).toBe(500);
  expect(staleness.of(9n, 1_500)).toBe(Number.POSITIVE_INFINITY);
});

test('given an idle primary, a standby that is cut off at its end loses nothing', () => {
  const staleness = createStaleness();
  for (let at = 0; at < 100_000; at += 250) staleness.primaryAt(10n, at);
  expect(staleness.of(10n, 100_000)).toBe(250);
});
