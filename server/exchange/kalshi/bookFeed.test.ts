import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMicrosFixed, MICROS } from '#lib/money.ts';
import type { OrderBook } from '../port.ts';
import { createBookFeed } from './bookFeed.ts';
import { checkSequence } from './channels.ts';
import { differences } from './followedBook.ts';
import type { Wire } from './wire.ts';

const SID = 7;
const TICKERS = ['A', 'B', 'C'];

/** Feeds messages as a connection does, and notes what is reported. */
function createReader(tickers = TICKERS) {
  const sequences = new Map<number, number>();
  const reported: string[] = [];
  const feed = createBookFeed({
    onBook: (ticker) => reported.push(`book ${ticker}`),
    onLevel: (ticker, side, level) =>
      reported.push(`${ticker} ${side} ${level.priceMicros} ${level.contractMicros}`),
    onStale: (ticker) => reported.push(`stale ${ticker}`),
    onRepair: (reason, lost) => reported.push(`${reason} ${lost.join()}`),
  });
  for (const ticker of tickers) feed.follow(ticker);
  return {
    feed,
    reported,
    lastSequence: () => sequences.get(SID) ?? 0,
    receive: (message: Wire) => {
      const outcome = checkSequence(sequences, message);
      if (outcome === 'repeated') return;
      if (outcome === 'gap') feed.gap();
      feed.receive(message);
    },
  };
}

const snapshotOf = (seq: number, { ticker, yesBids, noBids }: OrderBook): Wire => ({
  type: 'orderbook_snapshot',
  sid: SID,
  seq,
  msg: {
    market_ticker: ticker,
    yes_dollars_fp: yesBids.map((level) => wireLevel(level.priceMicros, level.contractMicros)),
    no_dollars_fp: noBids.map((level) =>
      wireLevel(MICROS - level.priceMicros, level.contractMicros),
    ),
  },
});

const wireLevel = (price: bigint, size: bigint) => [
  formatMicrosFixed(price, 4),
  formatMicrosFixed(size, 2),
];

const deltaOf = (seq: number, ticker: string, side: string, price: string, delta: string) => ({
  type: 'orderbook_delta',
  sid: SID,
  seq,
  msg: { market_ticker: ticker, side, price_dollars: price, delta_fp: delta },
});

const bookOf = (ticker: string, yes: [bigint, bigint][], no: [bigint, bigint][]): OrderBook => {
  const levels = (side: [bigint, bigint][]) =>
    side.map(([priceMicros, contractMicros]) => ({ priceMicros, contractMicros }));
  return { ticker, yesBids: levels(yes), noBids: levels(no) };
};

const EMPTY = bookOf('A', [], []);

describe('a followed book', () => {
  it('applies signed changes; an offer of yes is a bid for no at the complement', () => {
    const { feed, receive, reported } = createReader(['A']);
    receive(snapshotOf(1, bookOf('A', [[500_000n, 2_000_000n]], [])));
    receive(deltaOf(2, 'A', 'yes', '0.5000', '-2.00'));
    receive(deltaOf(3, 'A', 'no', '0.6000', '1.50'));
    expect(feed.get('A')?.read()).toEqual(bookOf('A', [], [[400_000n, 1_500_000n]]));
    expect(reported).toEqual(['book A', 'A yes 500000 0', 'A no 400000 1500000']);
  });

  it('is not current before its snapshot, and ignores changes until then', () => {
    const { feed, receive } = createReader(['A']);
    receive(deltaOf(1, 'A', 'yes', '0.5000', '1.00'));
    expect(feed.staleTickers()).toEqual(['A']);
    receive(snapshotOf(2, EMPTY));
    expect(feed.get('A')?.read()).toEqual(EMPTY);
    expect(feed.staleTickers()).toEqual([]);
  });

  it('given a gap, all markets of the subscription are stale until their snapshots', () => {
    const { feed, receive, reported } = createReader(['A', 'B']);
    receive(snapshotOf(1, EMPTY));
    receive(snapshotOf(2, { ...EMPTY, ticker: 'B' }));
    receive(deltaOf(4, 'A', 'yes', '0.5000', '1.00'));
    expect(feed.staleTickers()).toEqual(['A', 'B']);
    expect(reported.slice(2)).toEqual(['stale A', 'stale B', 'gap A,B']);
    receive(snapshotOf(5, bookOf('A', [[500_000n, 1_000_000n]], [])));
    expect(feed.staleTickers()).toEqual(['B']);
  });

  it('counts replies and ignores repeated messages', () => {
    const { feed, receive } = createReader(['A']);
    receive(snapshotOf(1, EMPTY));
    receive({ type: 'ok', sid: SID, seq: 2, msg: {} });
    receive(deltaOf(3, 'A', 'yes', '0.5000', '1.00'));
    receive(deltaOf(3, 'A', 'yes', '0.5000', '1.00'));
    expect(feed.get('A')?.read().yesBids).toEqual([
      { priceMicros: 500_000n, contractMicros: 1_000_000n },
    ]);
  });

  it.each([
    ['a size below zero', deltaOf(2, 'A', 'yes', '0.5000', '-1.00')],
    ['an unreadable price', deltaOf(2, 'A', 'yes', 'high', '1.00')],
    ['an unknown side', deltaOf(2, 'A', 'both', '0.5000', '1.00')],
  ])('given %s, only this market is stale', (_, message) => {
    const { feed, receive, reported } = createReader(['A', 'B']);
    receive(snapshotOf(1, EMPTY));
    receive(message);
    expect(feed.get('A')?.isCurrent).toBe(false);
    expect(reported.slice(1)).toEqual(['stale A', 'corrupt A']);
  });

  it('given a snapshot that differs from a current book, reports it and takes it', () => {
    const { feed, receive, reported } = createReader(['A']);
    receive(snapshotOf(1, EMPTY));
    receive(snapshotOf(2, EMPTY));
    expect(reported).toEqual(['book A']);
    const other = bookOf('A', [[10_000n, 10_000n]], []);
    receive(snapshotOf(3, other));
    expect(reported.slice(1)).toEqual(['wrong A', 'book A']);
    expect(feed.get('A')?.read()).toEqual(other);
  });
});

/** An exchange that numbers what it sends, and remembers its books at each number. */
function createModelExchange() {
  const books = new Map(TICKERS.map((ticker) => [ticker, new Map<string, bigint>()]));
  const history = new Map<number, Map<string, OrderBook>>();
  let seq = 0;

  const read = (ticker: string): OrderBook => {
    const side = (name: string) =>
      [...(books.get(ticker) ?? [])]
        .filter(([key]) => key.startsWith(name))
        .map(([key, size]): [bigint, bigint] => [BigInt(key.slice(name.length)), size]);
    return bookOf(ticker, side('yes '), side('no '));
  };
  const numbered = (message: Wire): Wire => {
    history.set(seq, new Map(TICKERS.map((ticker) => [ticker, read(ticker)])));
    return message;
  };

  return {
    history,
    snapshot(ticker: string): Wire {
      seq += 1;
      return numbered(snapshotOf(seq, read(ticker)));
    },
    reply(): Wire {
      seq += 1;
      return numbered({ type: 'ok', sid: SID, seq, msg: {} });
    },
    change(ticker: string, side: 'yes' | 'no', cents: number, size: bigint): Wire {
      seq += 1;
      const book = books.get(ticker) ?? new Map<string, bigint>();
      const priceMicros = BigInt(cents) * 10_000n;
      const key = `${side} ${priceMicros}`;
      const delta = size - (book.get(key) ?? 0n);
      if (size === 0n) book.delete(key);
      else book.set(key, size);
      const price = formatMicrosFixed(side === 'yes' ? priceMicros : MICROS - priceMicros, 4);
      return numbered(deltaOf(seq, ticker, side, price, formatMicrosFixed(delta, 2)));
    },
  };
}

const step = fc.record({
  ticker: fc.constantFrom(...TICKERS),
  side: fc.constantFrom('yes' as const, 'no' as const),
  cents: fc.integer({ min: 1, max: 6 }),
  size: fc.integer({ min: 0, max: 3 }).map((size) => BigInt(size) * 1_000_000n),
  fault: fc.constantFrom('none', 'none', 'none', 'drop', 'duplicate', 'swap'),
  isReply: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
});

it('given any gaps, repetitions and reorderings, no current book is wrong, and each recovers', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 120 }), (steps) => {
      const exchange = createModelExchange();
      const { feed, receive, lastSequence, reported } = createReader();
      let held: Wire | undefined;
      const deliver = (message: Wire) => {
        receive(message);
        for (const ticker of TICKERS) {
          const book = feed.get(ticker);
          const theirs = exchange.history.get(lastSequence())?.get(ticker) ?? EMPTY;
          if (book?.isCurrent) expect(differences(book.read(), theirs)).toEqual([]);
        }
      };
      for (const { ticker, side, cents, size, fault, isReply } of steps) {
        const message = isReply ? exchange.reply() : exchange.change(ticker, side, cents, size);
        if (fault === 'swap' && !held) held = message;
        else if (fault !== 'drop') deliver(message);
        if (fault === 'duplicate') deliver(message);
        if (held && held !== message) {
          deliver(held);
          held = undefined;
        }
        // The snapshots that a connection requests arrive among later messages.
        const [stale] = feed.staleTickers();
        if (stale !== undefined) deliver(exchange.snapshot(stale));
      }
      for (const ticker of feed.staleTickers()) deliver(exchange.snapshot(ticker));
      for (const ticker of feed.staleTickers()) deliver(exchange.snapshot(ticker));
      expect(feed.staleTickers()).toEqual([]);
      expect(reported.filter((one) => one.startsWith('wrong'))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
