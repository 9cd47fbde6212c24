import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFillBuffer } from './fillBuffer.ts';

const PATIENCE_MS = 150;

function fill(order_id: string, trade_id: string, count_fp: string) {
  return { order_id, trade_id, count_fp };
}

function hearing() {
  const heard = createFillBuffer();
  heard.setHearing(true);
  return heard;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('createHeardFills', () => {
  it('returns fills that arrived before the request', async () => {
    const heard = hearing();
    heard.add(fill('order', 'a', '1.00'));
    heard.add(fill('other', 'c', '9.00'));
    heard.add(fill('order', 'b', '0.50'));
    const fills = await heard.whenComplete('order', 1_500_000n, PATIENCE_MS);
    expect(fills?.map(({ trade_id }) => trade_id)).toEqual(['a', 'b']);
  });

  it('waits for later fills and counts a repeated one once', async () => {
    const heard = hearing();
    const asked = heard.whenComplete('order', 2_000_000n, PATIENCE_MS);
    heard.add(fill('order', 'a', '1.00'));
    heard.add(fill('order', 'a', '1.00'));
    heard.add(fill('order', 'b', '1.00'));
    expect((await asked)?.length).toBe(2);
  });

  it('gives up when fills do not add up in time or exceed the filled amount', async () => {
    const heard = hearing();
    const few = heard.whenComplete('few', 2_000_000n, PATIENCE_MS);
    const many = heard.whenComplete('many', 2_000_000n, PATIENCE_MS);
    heard.add(fill('few', 'a', '1.00'));
    heard.add(fill('many', 'b', '3.00'));
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    expect(await Promise.all([few, many])).toEqual([undefined, undefined]);
  });

  it('does not wait when the feed is down', async () => {
    const heard = createFillBuffer();
    expect(await heard.whenComplete('order', 1n, PATIENCE_MS)).toBe(undefined);
    heard.setHearing(true);
    heard.setHearing(false);
    expect(await heard.whenComplete('order', 1n, PATIENCE_MS)).toBe(undefined);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('drops the oldest orders that were not requested', async () => {
    const heard = hearing();
    for (let index = 0; index <= 2_000; index += 1) heard.add(fill(`o${index}`, 'a', '1.00'));
    heard.setHearing(false);
    expect(await heard.whenComplete('o0', 1_000_000n, PATIENCE_MS)).toBe(undefined);
    expect(await heard.whenComplete('o1', 1_000_000n, PATIENCE_MS)).toHaveLength(1);
  });
});
