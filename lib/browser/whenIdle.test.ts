// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenIdle } from './whenIdle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A browser that tells when it is idle. */
function stubIdleness() {
  const waiting: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => waiting.push(callback));
  vi.stubGlobal('cancelIdleCallback', (id: number) => waiting.splice(id - 1, 1));
  return waiting;
}

test('waits until the browser is idle', () => {
  const waiting = stubIdleness();
  const work = vi.fn();
  whenIdle(work);
  expect(work).not.toHaveBeenCalled();
  waiting[0]?.();
  expect(work).toHaveBeenCalledTimes(1);
});

test('begins when the visitor does something, and once only', () => {
  const waiting = stubIdleness();
  const work = vi.fn();
  whenIdle(work);
  window.dispatchEvent(new Event('pointerdown'));
  window.dispatchEvent(new Event('keydown'));
  expect(work).toHaveBeenCalledTimes(1);
  expect(waiting).toEqual([]);
});

test('does not take idleness for rest before its time, but does what somebody waits for', () => {
  const waiting = stubIdleness();
  const [work, wanted] = [vi.fn(), vi.fn()];
  whenIdle(work, 1_000);
  vi.advanceTimersByTime(999);
  expect(waiting).toEqual([]);
  vi.advanceTimersByTime(1);
  waiting[0]?.();
  expect(work).toHaveBeenCalledTimes(1);
  whenIdle(wanted, 1_000);
  window.dispatchEvent(new Event('keydown'));
  vi.advanceTimersByTime(1_000);
  expect(wanted).toHaveBeenCalledTimes(1);
});

test('waits a moment where nobody tells', () => {
  vi.stubGlobal('requestIdleCallback', undefined);
  const work = vi.fn();
  whenIdle(work);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(work).toHaveBeenCalledTimes(1);
});

test('is called off', () => {
  vi.stubGlobal('requestIdleCallback', undefined);
  const work = vi.fn();
  whenIdle(work)();
  vi.advanceTimersByTime(10_000);
  window.dispatchEvent(new Event('pointerdown'));
  expect(work).not.toHaveBeenCalled();
});
