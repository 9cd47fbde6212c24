import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SocketCommand } from '#lib/api/schemas/stream.ts';
import { createBookSocket } from './bookSocket.ts';
import type { LiveBook } from './liveBook.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Connections whose server a test plays. */
function createServer() {
  const opened: ReturnType<typeof openOne>[] = [];
  function openOne() {
    const sent: SocketCommand[] = [];
    const socket = {
      onopen: () => undefined,
      onmessage: (() => undefined) as (message: { data: string }) => void,
      onclose: () => undefined,
      send: (text: string) => void sent.push(JSON.parse(text) as SocketCommand),
      close: () => socket.onclose(),
    };
    const say = (message: object) => socket.onmessage({ data: JSON.stringify(message) });
    return { socket, sent, say };
  }
  const books = createBookSocket({
    apiKey: 'key',
    open() {
      const one = openOne();
      opened.push(one);
      // Only these members are used.
      return one.socket as unknown as WebSocket;
    },
  });
  const last = () => {
    const one = opened.at(-1);
    if (!one) throw new Error('no connection');
    return one;
  };
  return {
    books,
    opened,
    last,
    /** Lets the newest connection authenticate. */
    accept() {
      last().socket.onopen();
      last().say({ type: 'ready' });
    },
  };
}

const snapshot = {
  type: 'book',
  data: { kind: 'snapshot', ticker: 'A', version: 2, yesBids: [], yesAsks: [], asOf: '' },
};

function createFollower() {
  const received: LiveBook[] = [];
  const trades: string[] = [];
  return {
    received,
    trades,
    onBook: (live: LiveBook) => void received.push(live),
    onTrade: ({ id }: { id: string }) => void trades.push(id),
  };
}

describe('live books of a page', () => {
  it('authenticate, subscribe once per market, and reach every follower', () => {
    const server = createServer();
    const followers = [createFollower(), createFollower()];
    for (const follower of followers) server.books.follow('A', follower);
    server.accept();
    const channels = ['book', 'trade'];
    expect(server.last().sent).toEqual([
      { type: 'authenticate', apiKey: 'key' },
      { type: 'subscribe', channels, tickers: ['A'] },
    ]);
    server.last().say(snapshot);
    server.last().say({ type: 'trade', data: { id: '1', ticker: 'A' } });
    for (const { received, trades } of followers) {
      expect(received).toMatchObject([{ isStale: false, version: 2 }]);
      expect(trades).toEqual(['1']);
    }
    server.books.follow('B', createFollower());
    expect(server.last().sent.at(-1)).toEqual({ type: 'subscribe', channels, tickers: ['B'] });
    expect(server.opened).toHaveLength(1);
  });

  it('given a broken connection, are stale, and follow again on a new one', () => {
    const server = createServer();
    const follower = createFollower();
    server.books.follow('A', follower);
    server.accept();
    server.last().say(snapshot);
    server.last().socket.onclose();
    expect(follower.received.at(-1)).toMatchObject({ isStale: true });
    vi.advanceTimersByTime(1_000);
    expect(server.opened).toHaveLength(2);
    server.accept();
    server.last().say(snapshot);
    expect(follower.received.at(-1)).toMatchObject({ isStale: false });
  });

  it('given no reply to a ping, reconnect', () => {
    const server = createServer();
    server.books.follow('A', createFollower());
    server.accept();
    vi.advanceTimersByTime(31_000);
    expect(server.opened.length).toBeGreaterThan(1);
  });

  it('close after the last follower, and while the page is hidden', () => {
    const server = createServer();
    const stop = server.books.follow('A', createFollower());
    server.accept();
    server.books.pause(true);
    vi.advanceTimersByTime(60_000);
    expect(server.opened).toHaveLength(1);
    server.books.pause(false);
    expect(server.opened).toHaveLength(2);
    stop();
    vi.advanceTimersByTime(60_000);
    expect(server.opened).toHaveLength(2);
  });
});
