import type { BookLevel, OutcomeSide } from '../port.ts';
import { FollowedBook } from './followedBook.ts';
import { readBookSnapshot, readLevelDelta } from './orderBook.ts';
import { asWire, text, type Wire } from './wire.ts';

/** Why a book needed a snapshot. */
export type RepairReason = 'gap' | 'corrupt' | 'wrong';

export type BookFeedHandlers = {
  /** The book is complete, for the first time, again, or after it was wrong. */
  onBook: (ticker: string) => void;
  onLevel: (ticker: string, side: OutcomeSide, level: BookLevel) => void;
  onStale: (ticker: string) => void;
  onRepair: (reason: RepairReason, tickers: readonly string[]) => void;
};

/**
 * The followed books, kept by the numbered messages of one subscription. The caller passes messages
 * in the order of their numbers, without repeated ones, and reports gaps before the message that
 * revealed them. Then a book that is current equals the exchange's as of the last message.
 */
export function createBookFeed(handlers: BookFeedHandlers) {
  const books = new Map<string, FollowedBook>();

  function snapshot(book: FollowedBook, msg: Wire): void {
    const wasCurrent = book.isCurrent;
    if (!book.replace(readBookSnapshot(book.ticker, msg))) return;
    if (wasCurrent) handlers.onRepair('wrong', [book.ticker]);
    handlers.onBook(book.ticker);
  }

  function delta(book: FollowedBook, msg: Wire): void {
    // The snapshot that is on its way includes it.
    if (!book.isCurrent) return;
    const change = readLevelDelta(msg);
    const level = change && book.apply(change);
    if (change && level) {
      handlers.onLevel(book.ticker, change.side, level);
      return;
    }
    book.isCurrent = false;
    handlers.onStale(book.ticker);
    handlers.onRepair('corrupt', [book.ticker]);
  }

  function setStale(tickers: Iterable<string>): string[] {
    const lost = [...tickers].filter((ticker) => books.get(ticker)?.isCurrent);
    for (const ticker of lost) {
      const book = books.get(ticker);
      if (book) book.isCurrent = false;
      handlers.onStale(ticker);
    }
    return lost;
  }

  return {
    follow: (ticker: string) => void books.set(ticker, new FollowedBook(ticker)),
    leave: (ticker: string) => void books.delete(ticker),
    get: (ticker: string) => books.get(ticker),
    tickers: () => [...books.keys()],
    /** Those that wait for a snapshot. */
    staleTickers: () => [...books.values()].flatMap((one) => (one.isCurrent ? [] : one.ticker)),
    receive({ type, msg }: Wire): void {
      const fields = asWire(msg);
      const book = books.get(text(fields, 'market_ticker', 'ticker'));
      if (!book) return;
      if (type === 'orderbook_snapshot') snapshot(book, fields);
      if (type === 'orderbook_delta') delta(book, fields);
    },
    /** The connection is lost: every book is stale. */
    lose: () => void setStale(books.keys()),
    /** Messages are missing. They may belong to any market of the subscription. */
    gap(): void {
      const lost = setStale(books.keys());
      if (lost.length > 0) handlers.onRepair('gap', lost);
    },
    /** One book was found to be wrong. */
    distrust(ticker: string): void {
      if (setStale([ticker]).length > 0) handlers.onRepair('wrong', [ticker]);
    },
  };
}
