import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ChangeReader, createMarketFeed, type MarketsChanged } from './marketFeed.ts';

const log = pino({ level: 'silent' });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A log of changes that a test appends to and can make unreachable. */
function changeLog() {
  const rows = new Map<bigint, string[] | null>();
  const state = { isDown: false };
  const reader: ChangeReader = {
    async newest(count) {
      if (state.isDown) throw new Error('down');
      return [...rows.keys()].sort((a, b) => Number(b - a)).slice(0, count);
    },
    async after(sequence, seen) {
      if (state.isDown) throw new Error('down');
      return [...rows]
        .filter(([key]) => key > sequence && !seen.includes(key))
        .map(([key, tickers]) => ({ sequence: key, tickers }));
    },
  };
  const feed = createMarketFeed({ reader, log });
  const received: MarketsChanged[] = [];
  feed.onChange((changed) => received.push(changed));
  return { rows, state, feed, received };
}

const aMoment = () => vi.advanceTimersByTimeAsync(250);

it('is current after a read and reports each change once', async () => {
  const { rows, feed, received } = changeLog();
  rows.set(7n, ['OLD']);
  expect(feed.isCurrent()).toBe(false);
  await aMoment();
  expect(feed.isCurrent()).toBe(true);
  const before = feed.version();
  rows.set(8n, ['A', 'B']);
  rows.set(9n, null);
  await aMoment();
  await aMoment();
  expect(received).toEqual(['everything', ['A', 'B'], 'everything']);
  expect(feed.version()).toBe(before + 2);
});

it('finds a change that was committed after a later one', async () => {
  const { rows, feed, received } = changeLog();
  feed.isCurrent();
  await aMoment();
  rows.set(12n, ['LATER']);
  await aMoment();
  rows.set(11n, ['EARLIER']);
  await aMoment();
  expect(received.slice(1)).toEqual([['LATER'], ['EARLIER']]);
});

it('is not current while reads fail, then reports what it missed', async () => {
  const { rows, state, feed, received } = changeLog();
  feed.isCurrent();
  await aMoment();
  state.isDown = true;
  rows.set(1n, ['A']);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(feed.isCurrent()).toBe(false);
  expect(received).toEqual(['everything']);
  state.isDown = false;
  await aMoment();
  expect(feed.isCurrent()).toBe(true);
  expect(received.at(-1)).toEqual(['A']);
});

it('stops when idle and reports everything as changed when it restarts', async () => {
  const { feed, received } = changeLog();
  feed.isCurrent();
  await vi.advanceTimersByTimeAsync(70_000);
  expect(vi.getTimerCount()).toBe(0);
  expect(feed.isCurrent()).toBe(false);
  await aMoment();
  expect(feed.isCurrent()).toBe(true);
  expect(received).toEqual(['everything', 'everything']);
});
