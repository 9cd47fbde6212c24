import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFillBuffer } from './fillBuffer.ts';

const TIMEOUT_MS = 150;

function fill(order_id: string, trade_id: string, count_fp: string) {
  return { order_id, trade_id, count_fp };
}

function hearing() {
  const received = createFillBuffer();
  received.setHearing(true);
  return received;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('createFillBuffer', () => {
  it('returns fills that arrived before the request', async () => {
    const received = hearing();
    received.add(fill('order', 'a', '1.00'));
    received.add(fill('other', 'c', '9.00'));
    received.add(fill('order', 'b', '0.50'));
    const fills = await received.whenComplete('order', 1_500_000n, TIMEOUT_MS);
    expect(fills?.map(({ trade_id }) => trade_id)).toEqual(['a', 'b']);
  });

  it('waits for later fills and counts a repeated one once', async () => {
    const received = hearing();
    const asked = received.whenComplete('order', 2_000_000n, TIMEOUT_MS);
    received.add(fill('order', 'a', '1.00'));
    received.add(fill('order', 'a', '1.00'));
    received.add(fill('order', 'b', '1.00'));
    expect((await asked)?.length).toBe(2);
  });

  it('gives up when fills do not add up in time or exceed the filled amount', async () => {
    const received = hearing();
    const few = received.whenComplete('few', 2_000_000n, TIMEOUT_MS);
    const many = received.whenComplete('many', 2_000_000n, TIMEOUT_MS);
    received.add(fill('few', 'a', '1.00'));
    received.add(fill('many', 'b', '3.00'));
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(await Promise.all([few, many])).toEqual([undefined, undefined]);
  });

  it('does not wait when the feed is down', async () => {
    const received = createFillBuffer();
    expect(await received.whenComplete('order', 1n, TIMEOUT_MS)).toBe(undefined);
    received.setHearing(true);
    received.setHearing(false);
    expect(await received.whenComplete('order', 1n, TIMEOUT_MS)).toBe(undefined);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('drops the oldest orders that were not requested', async () => {
    const received = hearing();
    for (let index = 0; index <= 2_000; index += 1) received.add(fill(`o${index}`, 'a', '1.00'));
    received.setHearing(false);
    expect(await received.whenComplete('o0', 1_000_000n, TIMEOUT_MS)).toBe(undefined);
    expect(await received.whenComplete('o1', 1_000_000n, TIMEOUT_MS)).toHaveLength(1);
  });
});
