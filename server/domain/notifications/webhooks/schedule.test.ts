import { expect, it } from 'vitest';
import { nextWaitSeconds, RETRY_SCHEDULE } from './schedule.ts';

const waits = (random: () => number) =>
  RETRY_SCHEDULE.waitSeconds.map(
    (_, index) => nextWaitSeconds(RETRY_SCHEDULE, index + 1, undefined, random) ?? 0,
  );

it('retries for more than a day, later each time, then stops', () => {
  const plain = waits(() => 0);
  expect(plain).toEqual(plain.toSorted((a, b) => a - b));
  const total = plain.reduce((sum, wait) => sum + wait, 0);
  expect(total).toBeGreaterThan(24 * 3_600);
  expect(total).toBeLessThan(48 * 3_600);
  expect(nextWaitSeconds(RETRY_SCHEDULE, plain.length + 1, undefined)).toBeUndefined();
});

it('spreads attempts', () => {
  expect(waits(() => 1)[0]).toBeGreaterThan(waits(() => 0)[0] ?? 0);
});

it('waits as long as the target asks, up to an hour', () => {
  const wait = (asked: number) => nextWaitSeconds(RETRY_SCHEDULE, 1, asked, () => 0);
  expect(wait(0)).toBe(5);
  expect(wait(120)).toBe(120);
  expect(wait(1e9)).toBe(3_600);
});
