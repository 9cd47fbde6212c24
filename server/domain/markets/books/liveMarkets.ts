import { setTimeout as delay } from 'node:timers/promises';
import type { CataloguePrices, ExchangeTrade } from '#server/exchange/catalogue.ts';
import type { CurrentBook, Exchange } from '#server/exchange/port.ts';
import { ServiceError } from '#server/platform/errors.ts';
import type { Log } from '#server/platform/log.ts';
import { watchFollowedMarkets } from '#server/platform/metrics/liveBooks.ts';
import { followLiveMarket, type LiveMarket, type LiveUpdate } from './liveMarket.ts';

/** A market is followed at the exchange for this long after its last reader left. */
const GRACE_MS = 30_000;
/** Markets that one process follows. */
const MOST_MARKETS = 1_000;
const TRADES_READ = 100;
/** Between reads of missed trades, which use the rate limit that quotes need. */
const READ_EVERY_MS = 250;

export type LiveUpdateListener = (ticker: string, update: LiveUpdate) => void;

/** The live books of a process: each market is followed once, whatever the number of readers. */
export type LiveMarkets = {
  /**
   * Counts one more reader of a market.
   * @throws {ServiceError} `rate_limited` when the process follows too many markets
   */
  follow(ticker: string): void;
  /** Counts one reader less; the market is left a while after its last. */
  leave(ticker: string): void;
  /** The book of a followed market; undefined while it is not followed, stale or crossed. */
  getBook(ticker: string): CurrentBook | undefined;
  /** What a new reader of a followed market gets first; undefined for a moment while crossed. */
  getFirst(ticker: string): ReturnType<LiveMarket['getFirst']>;
  getPrices(ticker: string): CataloguePrices | undefined;
  onUpdate(listener: LiveUpdateListener): void;
  close(): void;
};

type Entry = { market: LiveMarket; readers: number; leaving: NodeJS.Timeout | undefined };

export function createLiveMarkets(
  deps: {
    exchange: Pick<Exchange, 'followMarket'> & {
      catalogue: Pick<Exchange['catalogue'], 'listTrades'>;
    };
    log: Log;
  },
  { graceMs = GRACE_MS, mostMarkets = MOST_MARKETS } = {},
): LiveMarkets {
  const entries = new Map<string, Entry>();
  const listeners = new Set<LiveUpdateListener>();
  const missed = createMissedTrades(deps);
  watchFollowedMarkets(() => entries.size);

  function open(ticker: string): Entry {
    const market = followLiveMarket(deps, ticker, {
      onUpdate(update) {
        for (const listener of listeners) listener(ticker, update);
      },
      onTradesMissed: (addTrades) => missed.read(ticker, addTrades),
    });
    const entry = { market, readers: 0, leaving: undefined };
    entries.set(ticker, entry);
    return entry;
  }

  function close(ticker: string, { market, leaving }: Entry): void {
    clearTimeout(leaving);
    entries.delete(ticker);
    missed.forget(ticker);
    market.stop();
  }

  /** Makes room by leaving a market that has no readers. */
  function makeRoom(): void {
    const unread = [...entries].find(([, entry]) => entry.readers === 0);
    if (unread) {
      close(...unread);
      return;
    }
    throw new ServiceError('rate_limited', 'Too many live books are open. Try again shortly.', {
      retryAfterSeconds: 30,
    });
  }

  return {
    follow(ticker) {
      if (!entries.has(ticker) && entries.size >= mostMarkets) makeRoom();
      const entry = entries.get(ticker) ?? open(ticker);
      entry.readers += 1;
      clearTimeout(entry.leaving);
    },
    leave(ticker) {
      const entry = entries.get(ticker);
      if (!entry) return;
      entry.readers -= 1;
      if (entry.readers > 0) return;
      entry.leaving = setTimeout(() => close(ticker, entry), graceMs);
      entry.leaving.unref();
    },
    getBook: (ticker) => entries.get(ticker)?.market.getBook(),
    getFirst: (ticker) => entries.get(ticker)?.market.getFirst(),
    getPrices: (ticker) => entries.get(ticker)?.market.getPrices(),
    onUpdate: (listener) => void listeners.add(listener),
    close() {
      for (const [ticker, entry] of entries) close(ticker, entry);
    },
  };
}

/** Reads trades that the feed may have lost, one market after the other. */
function createMissedTrades({ exchange, log }: Parameters<typeof createLiveMarkets>[0]) {
  const waiting = new Map<string, (trades: readonly ExchangeTrade[]) => void>();
  let isReading = false;

  async function readAll(): Promise<void> {
    for (;;) {
      const [next] = waiting;
      if (!next) return;
      const [ticker, addTrades] = next;
      waiting.delete(ticker);
      try {
        const { trades } = await exchange.catalogue.listTrades({ ticker, limit: TRADES_READ });
        addTrades(trades);
      } catch (err) {
        log.debug({ err, ticker }, 'missed trades could not be read');
      }
      await delay(READ_EVERY_MS, undefined, { ref: false });
    }
  }

  return {
    read(ticker: string, addTrades: (trades: readonly ExchangeTrade[]) => void): void {
      waiting.set(ticker, addTrades);
      if (isReading) return;
      isReading = true;
      void readAll().finally(() => {
        isReading = false;
      });
    },
    forget: (ticker: string) => void waiting.delete(ticker),
  };
}
