import type { Log } from '../../platform/log.ts';
import { countBookRepair } from '../../platform/metrics/liveBooks.ts';
import type { CurrentBook, ExchangeMarketData, MarketUpdate } from '../port.ts';
import { createBookFeed } from './bookFeed.ts';
import { followChannels, type SocketOptions } from './channels.ts';
import { compareBooks } from './compareBooks.ts';
import { readPrices } from './feed.ts';
import { createSubscriptions, LIVE_CHANNELS } from './liveSubscriptions.ts';
import { readTrade } from './tradeReads.ts';
import { asWire, type Wire } from './wire.ts';

/** The exchange pings every ten seconds; a probe shows within five that it still sends. */
const PROBE_MS = 1_500;
const SILENCE_MS = 4_000;
/** A snapshot that does not arrive is requested again. */
const REPAIR_MS = 250;
const LEAST_RETRY_MS = 500;
const MOST_RETRY_MS = 10_000;

export type LiveOptions = {
  socket: SocketOptions;
  log: Log;
  /** The book over REST, to compare with. */
  getOrderBook: ExchangeMarketData['getOrderBook'];
};

type ConnectionHandlers = {
  publish: (ticker: string, update: MarketUpdate) => void;
  /** The exchange has added as many markets to this connection as it allows. */
  onRefused: (tickers: readonly string[]) => void;
};

export type LiveConnection = {
  follow(ticker: string): void;
  leave(tickers: readonly string[]): void;
  getBook(ticker: string): CurrentBook | undefined;
  /** Markets that it follows. */
  size(): number;
};

/** Follows markets over one connection, which is open while it follows any. */
export function createLiveConnection(
  options: LiveOptions,
  { publish, onRefused }: ConnectionHandlers,
): LiveConnection {
  const { socket, log } = options;
  let connection: AbortController | undefined;
  let subscriptions = createSubscriptions(undefined, refuse);
  let lastMessageAt = new Date(0);
  const requests = new Map<string, { at: number; waitMs: number }>();
  /** In the order in which they are probed next. */
  const turn = new Set<string>();

  const books = createBookFeed({
    onBook: (ticker) => publish(ticker, { kind: 'book' }),
    onLevel: (ticker, side, level) => publish(ticker, { kind: 'level', side, level }),
    onStale: (ticker) => publish(ticker, { kind: 'stale' }),
    onRepair(reason, tickers) {
      countBookRepair(reason);
      log[reason === 'gap' ? 'debug' : 'warn']({ reason, tickers }, 'books are read again');
      for (const ticker of tickers) requests.delete(ticker);
      repair();
    },
  });

  function noteRequests(tickers: Iterable<string>): void {
    const at = performance.now();
    for (const ticker of tickers) {
      const waitMs = Math.min((requests.get(ticker)?.waitMs ?? 0) * 2, MOST_RETRY_MS);
      requests.set(ticker, { at, waitMs: Math.max(waitMs, LEAST_RETRY_MS) });
    }
  }

  /** Requests the snapshots that stale books wait for. */
  function repair(): void {
    const now = performance.now();
    const due = books.staleTickers().filter((ticker) => {
      const last = requests.get(ticker);
      return !last || now - last.at >= last.waitMs;
    });
    if (due.length > 0 && subscriptions.getSnapshots(due)) noteRequests(due);
  }

  /** Compares one book after the other with a snapshot; its reply shows that the exchange sends. */
  function probe(): void {
    const [ticker] = turn;
    if (ticker === undefined) return;
    turn.delete(ticker);
    turn.add(ticker);
    subscriptions.getSnapshots([ticker]);
  }

  function onGap(reason: 'connected' | 'sequence', sid?: number): void {
    const channel = sid === undefined ? undefined : subscriptions.channelOf(sid);
    const isAny = reason === 'sequence' && channel === undefined;
    if (channel === 'orderbook_delta' || isAny) {
      books.gap();
      // Snapshots on their way may be among what was lost.
      requests.clear();
      repair();
    }
    if (channel === 'trade' || reason === 'connected' || isAny) {
      for (const ticker of books.tickers()) publish(ticker, { kind: 'trades_missed' });
    }
  }

  function onMessage(message: Wire): void {
    lastMessageAt = new Date();
    subscriptions.receive(message);
    const msg = asWire(message.msg);
    if (message.type === 'error') log.warn({ error: msg }, 'the exchange refused a subscription');
    if (message.type === 'trade') {
      const trade = readTrade(msg);
      if (trade) publish(trade.ticker, { kind: 'trade', trade });
    }
    if (message.type === 'ticker') {
      const prices = readPrices(msg);
      if (prices) publish(prices.ticker, { kind: 'prices', prices });
    }
    books.receive(message);
  }

  function connect(): void {
    const control = new AbortController();
    connection = control;
    followChannels(
      { silenceMs: SILENCE_MS, ...socket },
      {
        channels: LIVE_CHANNELS,
        subscribe(send) {
          subscriptions = createSubscriptions(send, refuse);
          requests.clear();
          subscriptions.begin(books.tickers());
          noteRequests(books.tickers());
        },
        onMessage,
        onGap,
        onClose() {
          // Another connection may have taken its place.
          if (connection !== control) return;
          subscriptions = createSubscriptions(undefined, refuse);
          books.lose();
        },
        probe: { everyMs: PROBE_MS, ask: probe },
        signal: control.signal,
      },
    );
    const repairing = setInterval(repair, REPAIR_MS);
    const stopComparing = compareBooks({
      books,
      log,
      getOrderBook: options.getOrderBook,
    });
    control.signal.addEventListener('abort', () => {
      clearInterval(repairing);
      stopComparing();
    });
  }

  function follow(ticker: string): void {
    books.follow(ticker);
    turn.add(ticker);
    if (connection) {
      noteRequests([ticker]);
      subscriptions.change(books.tickers());
    } else connect();
  }

  function leave(tickers: readonly string[]): void {
    for (const ticker of tickers) {
      books.leave(ticker);
      turn.delete(ticker);
      requests.delete(ticker);
    }
    if (turn.size > 0) subscriptions.change(books.tickers());
    else disconnect();
  }

  function disconnect(): void {
    connection?.abort();
    connection = undefined;
    subscriptions = createSubscriptions(undefined, refuse);
  }

  /** Hands the markets over that are too many; without any subscription it begins again. */
  function refuse(tickers: readonly string[], { isWhole }: { isWhole: boolean }): void {
    onRefused(tickers);
    if (!isWhole || turn.size === 0) return;
    disconnect();
    connect();
  }

  return {
    follow,
    leave,
    size: () => turn.size,
    getBook(ticker) {
      const book = books.get(ticker);
      return book?.isCurrent ? { book: book.read(), asOf: lastMessageAt } : undefined;
    },
  };
}
