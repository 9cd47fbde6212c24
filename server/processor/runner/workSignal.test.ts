import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWorkSignal } from './workSignal.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('wakes every waiter for such work once', async () => {
  const bell = createWorkSignal();
  const { signal } = new AbortController();
  const waiting = Promise.all([
    bell.wait(['fill', 'refund'], 60_000, signal),
    bell.wait(['fill'], 60_000, signal),
  ]);
  const other = bell.wait(['attest'], 60_000, signal);
  bell.ring('fill');
  await expect(waiting).resolves.toHaveLength(2);
  expect(vi.getTimerCount()).toBe(1);
  bell.ring('attest');
  await expect(other).resolves.toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

test('stops waiting at the timeout or the end of the process', async () => {
  const bell = createWorkSignal();
  const controller = new AbortController();
  const timed = bell.wait(['fill'], 500, controller.signal);
  await vi.advanceTimersByTimeAsync(500);
  await expect(timed).resolves.toBeUndefined();
  const stopped = bell.wait(['fill'], 60_000, controller.signal);
  controller.abort();
  await expect(stopped).resolves.toBeUndefined();
  await expect(bell.wait(['fill'], 60_000, controller.signal)).resolves.toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
