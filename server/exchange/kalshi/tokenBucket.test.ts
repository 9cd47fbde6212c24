import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTokenBucket } from './tokenBucket.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('createTokenBucket', () => {
  it('lets a burst through and then limits the rate', async () => {
    const bucket = createTokenBucket({ refillPerSecond: 100, capacity: 50 }, () => Date.now());
    const done: number[] = [];
    for (let call = 0; call < 8; call += 1) void bucket.take(10, 1).then(() => done.push(call));
    await vi.advanceTimersByTimeAsync(0);
    expect(done).toHaveLength(5);
    await vi.advanceTimersByTimeAsync(120);
    expect(done).toHaveLength(6);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('serves orders before reads that waited longer', async () => {
    const bucket = createTokenBucket({ refillPerSecond: 100, capacity: 10 }, () => Date.now());
    const done: string[] = [];
    await bucket.take(10, 1);
    void bucket.take(10, 1).then(() => done.push('read'));
    void bucket.take(10, 10).then(() => done.push('order'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(done).toEqual(['order', 'read']);
  });

  it('given a cheap call of a higher priority, does not let it wait for the costly one', async () => {
    const bucket = createTokenBucket({ refillPerSecond: 100, capacity: 200 }, () => Date.now());
    const done: string[] = [];
    bucket.drain();
    void bucket.take(200, 10).then(() => done.push('orders'));
    await vi.advanceTimersByTimeAsync(1);
    void bucket.take(2, 20).then(() => done.push('cancellation'));
    await vi.advanceTimersByTimeAsync(30);
    expect(done).toEqual(['cancellation']);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(done).toEqual(['cancellation', 'orders']);
  });

  it('starts empty after a rejection', async () => {
    const bucket = createTokenBucket({ refillPerSecond: 100, capacity: 100 }, () => Date.now());
    bucket.drain();
    let served = false;
    void bucket.take(10, 1).then(() => {
      served = true;
    });
    await vi.advanceTimersByTimeAsync(50);
    expect(served).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(served).toBe(true);
  });
});
