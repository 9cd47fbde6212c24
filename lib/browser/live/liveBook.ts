import type { OrderBook } from '#lib/api/schemas/market.ts';
import type { BookEvent, BookLevel } from '#lib/api/schemas/stream.ts';

/**
 * The book of a market, as the query cache holds it. `live` is there while the stream keeps it; the
 * version is the stream's.
 */
export type BookView = Pick<OrderBook, 'ticker' | 'yesBids' | 'yesAsks' | 'asOf'> & {
  live?: { version: number; isStale: boolean };
};

/** Whether the stream keeps the book and vouches for it. */
export function isKeptLive(book: BookView | undefined): boolean {
  return book?.live !== undefined && !book.live.isStale;
}

/**
 * The book after an event of the stream. Changes follow a snapshot in steps of one version; after a
 * larger step the book is stale until the snapshot that the stream sends next.
 */
export function withBookEvent(book: BookView | undefined, event: BookEvent): BookView | undefined {
  const { ticker, version } = event;
  if (event.kind === 'snapshot') {
    const { yesBids, yesAsks, asOf } = event;
    return { ticker, yesBids, yesAsks, asOf, live: { version, isStale: false } };
  }
  // Polled meanwhile: a snapshot follows.
  if (!book?.live) return book;
  if (event.kind === 'stale') return { ...book, live: { version, isStale: true } };
  if (book.live.isStale || version <= book.live.version) return book;
  if (version > book.live.version + 1) return { ...book, live: { version, isStale: true } };
  return {
    ticker,
    yesBids: withChanges(book.yesBids, event.yesBids, (a, b) => b - a),
    yesAsks: withChanges(book.yesAsks, event.yesAsks, (a, b) => a - b),
    asOf: event.asOf,
    live: { version, isStale: false },
  };
}

function withChanges(
  levels: readonly BookLevel[],
  changes: readonly BookLevel[],
  order: (a: number, b: number) => number,
): BookLevel[] {
  if (changes.length === 0) return [...levels];
  const sizes = new Map(levels.map((level) => [level.priceDollars, level]));
  for (const level of changes) {
    if (level.contracts === 0) sizes.delete(level.priceDollars);
    else sizes.set(level.priceDollars, level);
  }
  return [...sizes.values()].sort((a, b) => order(Number(a.priceDollars), Number(b.priceDollars)));
}
