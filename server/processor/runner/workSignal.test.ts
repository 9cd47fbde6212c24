import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWorkSignal } from './workSignal.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('given work of a kind, each waiter for that kind wakes, once', async () => {
  const work = createWorkSignal();
  const { signal } = new AbortController();
  const waiting = Promise.all([
    work.wait(['fill', 'refund'], 60_000, signal),
    work.wait(['fill'], 60_000, signal),
  ]);
  const other = work.wait(['attest'], 60_000, signal);
  work.ring('fill');
  await expect(waiting).resolves.toHaveLength(2);
  expect(vi.getTimerCount()).toBe(1);
  work.ring('attest');
  await expect(other).resolves.toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

test('given that none comes, it waits for its time or until the process stops', async () => {
  const work = createWorkSignal();
  const controller = new AbortController();
  const timed = work.wait(['fill'], 500, controller.signal);
  await vi.advanceTimersByTimeAsync(500);
  await expect(timed).resolves.toBeUndefined();
  const stopped = work.wait(['fill'], 60_000, controller.signal);
  controller.abort();
  await expect(stopped).resolves.toBeUndefined();
  await expect(work.wait(['fill'], 60_000, controller.signal)).resolves.toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
