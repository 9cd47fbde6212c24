import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { BookEvent } from '#lib/api/schemas/stream.ts';
import type { OrderBook } from '#server/exchange/port.ts';
import { ServiceError } from '#server/platform/errors.ts';
import type { LiveUpdate } from '../../markets/books/liveMarket.ts';
import type { LiveMarkets, LiveUpdateListener } from '../../markets/books/liveMarkets.ts';
import { createLiveFanOut } from './liveFanOut.ts';
import type { StreamMessage } from './streamMessage.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const level = { priceMicros: 400_000n, contractMicros: 5_000_000n };
const book: OrderBook = { ticker: 'A', yesBids: [level], noBids: [] };

/** Live markets that a test moves. */
function createMarkets() {
  let publish: LiveUpdateListener = () => undefined;
  const state = { version: 1, isCrossed: false, readers: 0, isFull: false };
  const liveMarkets: LiveMarkets = {
    follow() {
      if (state.isFull) throw new ServiceError('rate_limited', 'full');
      state.readers += 1;
    },
    leave: () => {
      state.readers -= 1;
    },
    getBook: () => undefined,
    getFirst: () =>
      state.isCrossed
        ? undefined
        : { kind: 'snapshot', version: state.version, book, asOf: new Date() },
    getPrices: () => undefined,
    onUpdate: (listener) => {
      publish = listener;
    },
    close: () => undefined,
  };
  return {
    state,
    fanOut: createLiveFanOut({ liveMarkets }),
    publish: (update: LiveUpdate) => publish('A', update),
    change: () => {
      state.version += 1;
      const { version } = state;
      publish('A', { kind: 'delta', version, yes: [level], no: [], asOf: new Date() });
    },
  };
}

/** A reader that takes nothing while it is slow. */
function createReader() {
  const state = { waiting: 0 };
  const received: StreamMessage[] = [];
  return {
    state,
    received,
    isClosed: false,
    waitingBytes: () => state.waiting,
    send: (message: StreamMessage) => void received.push(message),
    books: () =>
      received.map((message) => {
        const [, json = ''] = Buffer.from(message.asServerSent()).toString().split('data: ');
        const { kind, version } = JSON.parse(json) as BookEvent;
        return `${kind} ${version}`;
      }),
  };
}

it('starts with a snapshot; every reader gets the same encoded message', () => {
  const { fanOut, change } = createMarkets();
  const readers = [createReader(), createReader()];
  for (const reader of readers) fanOut.add(reader, 'book', 'A');
  change();
  expect(readers[0]?.books()).toEqual(['snapshot 1', 'delta 2']);
  expect(readers[0]?.received[1]).toBe(readers[1]?.received[1]);
  expect(readers[0]?.received[0]).toBe(readers[1]?.received[0]);
});

it('given a slow reader, drops its books and sends a snapshot once it has caught up', () => {
  const { fanOut, change } = createMarkets();
  const reader = createReader();
  const other = createReader();
  fanOut.add(reader, 'book', 'A');
  fanOut.add(other, 'book', 'A');
  reader.state.waiting = 100_000;
  for (let count = 0; count < 5; count += 1) change();
  vi.advanceTimersByTime(1_000);
  expect(reader.books()).toEqual(['snapshot 1']);
  reader.state.waiting = 1_000;
  change();
  vi.advanceTimersByTime(100);
  change();
  expect(reader.books()).toEqual(['snapshot 1', 'snapshot 7', 'delta 8']);
  expect(other.books()).toHaveLength(8);
});

it('never drops a trade', () => {
  const { fanOut, publish } = createMarkets();
  const reader = createReader();
  fanOut.add(reader, 'trade', 'A');
  reader.state.waiting = 100_000;
  const trade = {
    tradeId: '1',
    ticker: 'A',
    contractMicros: 1_000_000n,
    yesPriceMicros: 400_000n,
    takerSide: 'yes' as const,
    at: new Date(),
  };
  for (let count = 0; count < 3; count += 1) publish({ kind: 'trade', trade });
  expect(reader.received).toHaveLength(3);
});

it('given a book that is crossed for a moment, sends the first snapshot afterwards', () => {
  const { fanOut, state, change } = createMarkets();
  const reader = createReader();
  state.isCrossed = true;
  fanOut.add(reader, 'book', 'A');
  expect(reader.books()).toEqual([]);
  state.isCrossed = false;
  change();
  vi.advanceTimersByTime(100);
  expect(reader.books()).toEqual(['snapshot 2']);
});

it('counts each reader once per channel, and none that was refused', () => {
  const { fanOut, state, change } = createMarkets();
  const reader = createReader();
  fanOut.add(reader, 'book', 'A');
  fanOut.add(reader, 'book', 'A');
  fanOut.add(reader, 'trade', 'A');
  expect(state.readers).toBe(2);
  fanOut.remove(reader, 'book', 'A');
  fanOut.remove(reader, 'book', 'A');
  fanOut.remove(reader, 'trade', 'A');
  expect(state.readers).toBe(0);
  state.isFull = true;
  expect(() => fanOut.add(reader, 'book', 'A')).toThrow('full');
  change();
  expect(reader.books()).toEqual(['snapshot 1']);
});
