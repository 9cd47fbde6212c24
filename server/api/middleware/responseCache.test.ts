import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeFeed } from '../testing/fakeFeed.ts';
import { type About, createResponseCache } from './responseCache.ts';

const A = { ticker: 'A' } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function openCache(options: { mostBytes?: number } = {}) {
  const feed = new FakeFeed();
  const cache = createResponseCache(feed, options);
  const put = (key: string, about: About, json = '{}') =>
    cache.make(key, about, () => Promise.resolve(json));
  const isStored = (key: string) => cache.find(key) !== undefined;
  return { feed, cache, put, isStored };
}

describe('a response about a market', () => {
  it('is dropped when its market is written, and kept when another is', async () => {
    const { feed, put, isStored } = openCache();
    await put('/a', A);
    await put('/b', { ticker: 'B' });
    feed.change(['C']);
    expect([isStored('/a'), isStored('/b')]).toEqual([true, true]);
    feed.change(['A']);
    expect([isStored('/a'), isStored('/b')]).toEqual([false, true]);
    feed.change('everything');
    expect(isStored('/b')).toBe(false);
  });

  it('is not kept when the market was written while it was made', async () => {
    const { feed, cache, isStored } = openCache();
    let finish: (json: string) => void = () => undefined;
    const made = cache.make('/a', A, () => new Promise((resolve) => (finish = resolve)));
    feed.change(['A']);
    finish('{"old":true}');
    await made;
    expect(isStored('/a')).toBe(false);
  });

  it('given no change, is dropped after five seconds', async () => {
    const { put, isStored } = openCache();
    await put('/a', A);
    vi.advanceTimersByTime(4_900);
    expect(isStored('/a')).toBe(true);
    vi.advanceTimersByTime(200);
    expect(isStored('/a')).toBe(false);
  });
});

it('given a change, a list is kept for a second; given none, longer', async () => {
  const { feed, put, isStored } = openCache();
  await put('/list', 'catalogue');
  feed.change(['A']);
  expect(isStored('/list')).toBe(true);
  vi.advanceTimersByTime(1_100);
  expect(isStored('/list')).toBe(false);
  await put('/list', 'catalogue');
  vi.advanceTimersByTime(3_000);
  expect(isStored('/list')).toBe(true);
});

it('nothing is found while the feed is not current', async () => {
  const { feed, put, isStored } = openCache();
  await put('/a', A);
  feed.current = false;
  expect(isStored('/a')).toBe(false);
  await put('/b', A);
  feed.current = true;
  expect([isStored('/a'), isStored('/b')]).toEqual([true, false]);
});

it('given several callers at once, is made once; a failure reaches all of them and is not kept', async () => {
  const { cache, isStored } = openCache();
  const make = vi.fn(() => Promise.resolve('{}'));
  await Promise.all([1, 2, 3].map(() => cache.make('/a', A, make)));
  expect(make).toHaveBeenCalledTimes(1);
  const fail = () => Promise.reject(new Error('no'));
  await expect(cache.make('/b', A, fail)).rejects.toThrow('no');
  expect(isStored('/b')).toBe(false);
  await cache.make('/b', A, make);
  expect(isStored('/b')).toBe(true);
});

it('forgets the oldest when there is too much', async () => {
  const { put, isStored } = openCache({ mostBytes: 20_000 });
  for (let index = 0; index < 20; index += 1) {
    await put(`/${index}`, { ticker: `${index}` }, JSON.stringify('x'.repeat(1_000)));
  }
  const kept = Array.from({ length: 20 }, (_, index) => isStored(`/${index}`));
  expect(kept[0]).toBe(false);
  expect(kept.at(-1)).toBe(true);
  expect(kept.filter(Boolean).length).toBeGreaterThan(3);
});
