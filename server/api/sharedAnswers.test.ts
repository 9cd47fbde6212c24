import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type About, createSharedResponses } from './sharedAnswers.ts';
import { FakeFeed } from './testing/feedByHand.ts';

const A = { ticker: 'A' } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function answers(options: { mostBytes?: number } = {}) {
  const feed = new FakeFeed();
  const shared = createSharedResponses(feed, options);
  const put = (key: string, about: About, json = '{}') =>
    shared.make(key, about, () => Promise.resolve(json));
  const isStored = (key: string) => shared.find(key) !== undefined;
  return { feed, shared, put, isStored };
}

describe('an answer about a market', () => {
  it('stands until that market is written', async () => {
    const { feed, put, isStored } = answers();
    await put('/a', A);
    await put('/b', { ticker: 'B' });
    feed.tell(['C']);
    expect([isStored('/a'), isStored('/b')]).toEqual([true, true]);
    feed.tell(['A']);
    expect([isStored('/a'), isStored('/b')]).toEqual([false, true]);
    feed.tell('everything');
    expect(isStored('/b')).toBe(false);
  });

  it('is not kept when the market was written while it was made', async () => {
    const { feed, shared, isStored } = answers();
    let finish: (json: string) => void = () => undefined;
    const made = shared.make('/a', A, () => new Promise((resolve) => (finish = resolve)));
    feed.tell(['A']);
    finish('{"old":true}');
    await made;
    expect(isStored('/a')).toBe(false);
  });

  it('grows old even if nothing is told', async () => {
    const { put, isStored } = answers();
    await put('/a', A);
    vi.advanceTimersByTime(4_900);
    expect(isStored('/a')).toBe(true);
    vi.advanceTimersByTime(200);
    expect(isStored('/a')).toBe(false);
  });
});

it('a list stands for a second whatever is told, and longer while nothing is', async () => {
  const { feed, put, isStored } = answers();
  await put('/list', 'catalogue');
  feed.tell(['A']);
  expect(isStored('/list')).toBe(true);
  vi.advanceTimersByTime(1_100);
  expect(isStored('/list')).toBe(false);
  await put('/list', 'catalogue');
  vi.advanceTimersByTime(3_000);
  expect(isStored('/list')).toBe(true);
});

it('nothing is found while the feed is not current', async () => {
  const { feed, put, isStored } = answers();
  await put('/a', A);
  feed.current = false;
  expect(isStored('/a')).toBe(false);
  await put('/b', A);
  feed.current = true;
  expect([isStored('/a'), isStored('/b')]).toEqual([true, false]);
});

it('is made once for all who ask meanwhile; a failure is everybody’s and is not kept', async () => {
  const { shared, isStored } = answers();
  const make = vi.fn(() => Promise.resolve('{}'));
  await Promise.all([1, 2, 3].map(() => shared.make('/a', A, make)));
  expect(make).toHaveBeenCalledTimes(1);
  const fail = () => Promise.reject(new Error('no'));
  await expect(shared.make('/b', A, fail)).rejects.toThrow('no');
  expect(isStored('/b')).toBe(false);
  await shared.make('/b', A, make);
  expect(isStored('/b')).toBe(true);
});

it('forgets the oldest when there is too much', async () => {
  const { put, isStored } = answers({ mostBytes: 20_000 });
  for (let index = 0; index < 20; index += 1) {
    await put(`/${index}`, { ticker: `${index}` }, JSON.stringify('x'.repeat(1_000)));
  }
  const kept = Array.from({ length: 20 }, (_, index) => isStored(`/${index}`));
  expect(kept[0]).toBe(false);
  expect(kept.at(-1)).toBe(true);
  expect(kept.filter(Boolean).length).toBeGreaterThan(3);
});
