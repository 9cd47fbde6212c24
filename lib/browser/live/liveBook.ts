import type { OrderBook } from '#lib/api/schemas/market.ts';
import type { BookEvent } from '#lib/api/schemas/stream.ts';
import { formatMicrosFixed, MICROS, parseMicros } from '#lib/money.ts';

type Level = OrderBook['yesBids'][number];

/** A book as its events describe it; stale until the first snapshot and after a loss. */
export type LiveBook = { version: number; isStale: boolean; book: OrderBook | undefined };

export const NO_BOOK: LiveBook = { version: 0, isStale: true, book: undefined };

/** The book after one more event. A delta that does not follow is a loss: a snapshot comes next. */
export function applyBookEvent(live: LiveBook, event: BookEvent): LiveBook {
  const { version } = event;
  switch (event.kind) {
    case 'stale':
      return { ...live, version, isStale: true };
    case 'snapshot':
      return { version, isStale: false, book: wholeBook(event, event.yesBids, event.yesAsks) };
    case 'delta': {
      const { book, isStale } = live;
      if (!book || isStale || version !== live.version + 1) {
        return { ...live, version, isStale: true };
      }
      const yesBids = changed(book.yesBids, event.yesBids).toReversed();
      const yesAsks = changed(book.yesAsks, event.yesAsks);
      return { version, isStale: false, book: wholeBook(event, yesBids, yesAsks) };
    }
  }
}

/** A bid for no at p is an offer of yes at 1 − p. */
function wholeBook(
  { ticker, asOf }: { ticker: string; asOf: string },
  yesBids: Level[],
  yesAsks: Level[],
): OrderBook {
  return {
    ticker,
    yesBids,
    yesAsks,
    noBids: yesAsks.map(complement),
    noAsks: yesBids.map(complement),
    asOf,
  };
}

function complement({ priceDollars, contracts }: Level): Level {
  return { priceDollars: formatMicrosFixed(MICROS - parseMicros(priceDollars), 4), contracts };
}

/** The levels with their new sizes, by rising price; texts of prices below a dollar sort as such. */
function changed(levels: readonly Level[], changes: readonly Level[]): Level[] {
  const sizes = new Map(levels.map((level) => [level.priceDollars, level.contracts]));
  for (const { priceDollars, contracts } of changes) {
    if (contracts === 0) sizes.delete(priceDollars);
    else sizes.set(priceDollars, contracts);
  }
  return [...sizes]
    .map(([priceDollars, contracts]) => ({ priceDollars, contracts }))
    .sort((a, b) => (a.priceDollars < b.priceDollars ? -1 : 1));
}
