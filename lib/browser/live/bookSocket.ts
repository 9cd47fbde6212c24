import type { Trade } from '#lib/api/schemas/market.ts';
import type { BookEvent, SocketCommand } from '#lib/api/schemas/stream.ts';
import { applyBookEvent, type LiveBook, NO_BOOK } from './liveBook.ts';

export type BookFollower = {
  onBook: (live: LiveBook) => void;
  onTrade: (trade: Trade) => void;
};

export type BookSocketOptions = {
  /** Opens a connection to `/v1/ws`. */
  open: () => WebSocket;
  apiKey: string;
};

/** The live books of a page over one connection, which is open while any is followed. */
export type BookSocket = {
  follow: (ticker: string, follower: BookFollower) => () => void;
  /** Closes the connection while the page is hidden and reopens it afterwards. */
  pause: (isPaused: boolean) => void;
};

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;
/** Browsers do not show the pings of the protocol; without a reply the connection is dead. */
const PING_MS = 15_000;
const CHANNELS: ['book', 'trade'] = ['book', 'trade'];

type Followed = { live: LiveBook; followers: Set<BookFollower> };
type Message = { type: string; data?: unknown };

export function createBookSocket({ open, apiKey }: BookSocketOptions): BookSocket {
  const books = new Map<string, Followed>();
  let socket: WebSocket | undefined;
  let isReady = false;
  let isPaused = false;
  let retryMs = FIRST_RETRY_MS;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const send = (command: SocketCommand) => socket?.send(JSON.stringify(command));

  function publish(followed: Followed, live: LiveBook): void {
    followed.live = live;
    for (const { onBook } of followed.followers) onBook(live);
  }

  function receive({ type, data }: Message): void {
    if (type === 'ready') {
      isReady = true;
      retryMs = FIRST_RETRY_MS;
      const tickers = [...books.keys()];
      if (tickers.length > 0) send({ type: 'subscribe', channels: CHANNELS, tickers });
    }
    if (type === 'book') {
      const event = data as BookEvent;
      const followed = books.get(event.ticker);
      if (followed) publish(followed, applyBookEvent(followed.live, event));
    }
    if (type === 'trade') {
      const trade = data as Trade;
      for (const { onTrade } of books.get(trade.ticker)?.followers ?? []) onTrade(trade);
    }
  }

  function lose(): void {
    isReady = false;
    for (const followed of books.values()) {
      if (!followed.live.isStale) publish(followed, { ...followed.live, isStale: true });
    }
  }

  function connect(): void {
    clearTimeout(retry);
    if (socket || isPaused || books.size === 0) return;
    const current = open();
    socket = current;
    let isAlive = true;
    const end = () => {
      clearInterval(pinging);
      if (socket !== current) return;
      socket = undefined;
      lose();
      retry = setTimeout(connect, retryMs);
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    };
    const pinging = setInterval(() => {
      if (isAlive) {
        isAlive = false;
        if (isReady) send({ type: 'ping' });
      } else {
        // A dead connection takes long to close.
        end();
        current.close();
      }
    }, PING_MS);
    current.onopen = () => send({ type: 'authenticate', apiKey });
    current.onmessage = ({ data }) => {
      isAlive = true;
      receive(JSON.parse(String(data)) as Message);
    };
    current.onclose = end;
  }

  function disconnect(): void {
    clearTimeout(retry);
    const current = socket;
    socket = undefined;
    current?.close();
    lose();
  }

  return {
    follow(ticker, follower) {
      const followed = books.get(ticker) ?? { live: NO_BOOK, followers: new Set() };
      const isNew = !books.has(ticker);
      books.set(ticker, followed);
      followed.followers.add(follower);
      if (!followed.live.isStale) follower.onBook(followed.live);
      if (isNew && isReady) send({ type: 'subscribe', channels: CHANNELS, tickers: [ticker] });
      connect();
      return () => {
        if (!followed.followers.delete(follower) || followed.followers.size > 0) return;
        books.delete(ticker);
        if (books.size === 0) disconnect();
        else if (isReady) send({ type: 'unsubscribe', channels: CHANNELS, tickers: [ticker] });
      };
    },
    pause(next) {
      if (next === isPaused) return;
      isPaused = next;
      if (isPaused) disconnect();
      else connect();
    },
  };
}
