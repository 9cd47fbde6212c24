import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeFeed } from '../testing/fakeFeed.ts';
import type { ApiEnv } from './env.ts';
import { type About, CachedResponse, createResponseCache } from './responseCache.ts';

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

const LONG = JSON.stringify({ text: 'market '.repeat(500) });

/** What is sent of it to a request with these headers. */
async function send(cached: CachedResponse, headers: Record<string, string> = {}) {
  const app = new Hono<ApiEnv>().get('/', (c) => cached.respond(c));
  const response = await app.request('/', { headers });
  return {
    status: response.status,
    header: (name: string) => response.headers.get(name),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

describe('a cached response', () => {
  const cached = new CachedResponse(LONG);

  it('given no accepted coding, is sent plain', async () => {
    const { status, header, bytes } = await send(cached);
    expect(status).toBe(200);
    expect(header('content-encoding')).toBeNull();
    expect(bytes.toString()).toBe(LONG);
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate', null],
    ['br;q=0.0', null],
  ])('given accept-encoding %s, is sent as %s', async (accepted, coding) => {
    const { header, bytes } = await send(cached, { 'accept-encoding': accepted });
    expect(header('content-encoding')).toBe(coding);
    const plain =
      coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(plain.toString()).toBe(LONG);
    expect(header('vary')).toContain('accept-encoding');
  });

  it('given a short text, is sent plain', async () => {
    const { header } = await send(new CachedResponse('{}'), { 'accept-encoding': 'br' });
    expect(header('content-encoding')).toBeNull();
  });

  it('given its validator in any coding, is not sent again', async () => {
    const known = (await send(cached, { 'accept-encoding': 'br' })).header('etag') ?? '';
    for (const tag of [known, `"other", W/${known}`, '*']) {
      const again = await send(cached, { 'if-none-match': tag });
      expect(again).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
      expect(again.header('etag')).not.toBeNull();
      expect(again.header('content-type')).toBeNull();
    }
    expect((await send(cached, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('has another validator when it is another', async () => {
    const etagOf = async (json: string) => (await send(new CachedResponse(json))).header('etag');
    expect(await etagOf('{"a":1}')).toBe(await etagOf('{"a":1}'));
    expect(await etagOf('{"a":1}')).not.toBe(await etagOf('{"a":2}'));
  });
});
