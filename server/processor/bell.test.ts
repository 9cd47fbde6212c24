import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBell } from './bell.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('wakes everyone who waits, and nobody twice', async () => {
  const bell = createBell();
  const { signal } = new AbortController();
  const waiting = Promise.all([bell.wait(60_000, signal), bell.wait(60_000, signal)]);
  bell.ring();
  await expect(waiting).resolves.toHaveLength(2);
  expect(vi.getTimerCount()).toBe(0);
});

test('gives up waiting when the time is over or the process is to stop', async () => {
  const bell = createBell();
  const controller = new AbortController();
  const timed = bell.wait(500, controller.signal);
  await vi.advanceTimersByTimeAsync(500);
  await expect(timed).resolves.toBeUndefined();
  const stopped = bell.wait(60_000, controller.signal);
  controller.abort();
  await expect(stopped).resolves.toBeUndefined();
  await expect(bell.wait(60_000, controller.signal)).resolves.toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
