import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTimedCache } from './timedCache.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  // The library takes a time of zero for none.
  vi.advanceTimersByTime(1);
});
afterEach(() => {
  vi.useRealTimers();
});

/** A source that counts its reads and can delay them. */
function source() {
  let asked = 0;
  let held: (() => void)[] | undefined;
  return {
    count: () => asked,
    hold: () => (held = []),
    release: async () => {
      for (const finish of held ?? []) finish();
      held = undefined;
      await settle();
    },
    read: async (): Promise<number> => {
      asked += 1;
      const response = asked;
      if (held) await new Promise<void>((resolve) => held?.push(resolve));
      return response;
    },
  };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

describe('a value', () => {
  it('comes from memory until it expires', async () => {
    const { count, read } = source();
    const cache = createTimedCache(100, read);
    expect(await cache('a')).toBe(1);
    vi.advanceTimersByTime(99);
    expect(await cache('a')).toBe(1);
    vi.advanceTimersByTime(2);
    expect(await cache('a')).toBe(2);
    expect(count()).toBe(2);
  });

  it('can have its own lifetime', async () => {
    const { read } = source();
    const cache = createTimedCache(100, read, { ttlOf: (value) => (value === 1 ? 10 : 100) });
    expect(await cache('a')).toBe(1);
    vi.advanceTimersByTime(11);
    expect(await cache('a')).toBe(2);
    vi.advanceTimersByTime(11);
    expect(await cache('a')).toBe(2);
  });

  it('is read once for concurrent callers, and a failure is not cached', async () => {
    const read = vi
      .fn<(key: string) => Promise<string>>()
      .mockRejectedValueOnce(new Error('no'))
      .mockResolvedValue('yes');
    const cache = createTimedCache(100, read);
    const both = await Promise.allSettled([cache('a'), cache('a')]);
    expect(both.map((one) => one.status)).toEqual(['rejected', 'rejected']);
    expect(read).toHaveBeenCalledTimes(1);
    expect(await cache('a')).toBe('yes');
  });

  it('is not cached when the lifetime is zero', async () => {
    const { read } = source();
    const cache = createTimedCache(0, read);
    expect(await Promise.all([cache('a'), cache('a')])).toEqual([1, 1]);
    expect(await cache('a')).toBe(2);
  });
});

describe('renewing', () => {
  it('given a value past its renewal age, returns it while the next is read', async () => {
    const { count, hold, release, read } = source();
    const cache = createTimedCache(100, read, { renewAfterMs: 60 });
    await cache('a');
    vi.advanceTimersByTime(60);
    hold();
    expect(await cache('a')).toBe(1);
    expect(count()).toBe(2);
    await release();
    expect(await cache('a')).toBe(2);
    vi.advanceTimersByTime(59);
    expect(await cache('a')).toBe(2);
    expect(count()).toBe(2);
  });

  it('never returns an expired value while renewing is slow or fails', async () => {
    const read = vi
      .fn<(key: string) => Promise<string>>()
      .mockResolvedValueOnce('old')
      .mockRejectedValueOnce(new Error('no'))
      .mockResolvedValue('new');
    const cache = createTimedCache(100, read, { renewAfterMs: 60 });
    await cache('a');
    vi.advanceTimersByTime(60);
    expect(await cache('a')).toBe('old');
    await settle();
    vi.advanceTimersByTime(41);
    expect(await cache('a')).toBe('new');
  });
});
