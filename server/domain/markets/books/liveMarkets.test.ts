import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExchangeTrade } from '#server/exchange/catalogue.ts';
import type { BookLevel, MarketUpdate, OrderBook, OutcomeSide } from '#server/exchange/port.ts';
import type { LiveUpdate } from './liveMarket.ts';
import { createLiveMarkets } from './liveMarkets.ts';

const log = pino({ level: 'silent' });
const cents = (count: number) => BigInt(count) * 10_000n;
const level = (price: number, contracts: number): BookLevel => ({
  priceMicros: cents(price),
  contractMicros: BigInt(contracts) * 1_000_000n,
});
const trade = (tradeId: string, at: Date): ExchangeTrade => ({
  tradeId,
  ticker: 'A',
  contractMicros: 1_000_000n,
  yesPriceMicros: 500_000n,
  takerSide: 'yes',
  at,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An exchange whose market a test moves. */
function createExchange() {
  const followed = new Map<string, (update: MarketUpdate) => void>();
  const state: { book: OrderBook | undefined; follows: number; trades: ExchangeTrade[] } = {
    book: undefined,
    follows: 0,
    trades: [],
  };
  const publish = (update: MarketUpdate) => {
    for (const receive of followed.values()) receive(update);
  };
  const exchange = {
    followMarket(ticker: string, receive: (update: MarketUpdate) => void) {
      state.follows += 1;
      followed.set(ticker, receive);
      return {
        getBook: () => state.book && { book: state.book, asOf: new Date() },
        stop: () => void followed.delete(ticker),
      };
    },
    catalogue: { listTrades: async () => ({ trades: state.trades, cursor: '' }) },
  };
  return {
    exchange,
    state,
    followed,
    publish,
    snapshot: (yesBids: BookLevel[], noBids: BookLevel[]) => {
      state.book = { ticker: 'A', yesBids, noBids };
      publish({ kind: 'book' });
    },
    change: (side: OutcomeSide, changed: BookLevel) => {
      const name = side === 'yes' ? 'yesBids' : 'noBids';
      const book = state.book ?? { ticker: 'A', yesBids: [], noBids: [] };
      const others = book[name].filter((one) => one.priceMicros !== changed.priceMicros);
      const levels = changed.contractMicros === 0n ? others : [...others, changed];
      state.book = {
        ...book,
        [name]: levels.toSorted((a, b) => (a.priceMicros > b.priceMicros ? -1 : 1)),
      };
      publish({ kind: 'level', side, level: changed });
    },
    lose: () => {
      state.book = undefined;
      publish({ kind: 'stale' });
    },
  };
}

/** Live markets with one reader of market A, and everything that it got. */
function createReader() {
  const source = createExchange();
  const markets = createLiveMarkets({ exchange: source.exchange, log }, { graceMs: 1_000 });
  const updates: LiveUpdate[] = [];
  markets.onUpdate((_, update) => updates.push(update));
  markets.follow('A');
  return { ...source, markets, updates, kinds: () => updates.map((update) => update.kind) };
}

const aTurn = () => vi.advanceTimersByTime(100);

describe('a live market', () => {
  it('starts stale, then sends a snapshot and only what changed', () => {
    const { markets, snapshot, change, updates } = createReader();
    expect(markets.getFirst('A')).toEqual({ kind: 'stale', version: 1, asOf: undefined });
    snapshot([level(40, 5)], [level(50, 5)]);
    aTurn();
    change('yes', level(41, 2));
    aTurn();
    expect(updates).toMatchObject([
      { kind: 'snapshot', version: 2, book: { yesBids: [level(40, 5)], noBids: [level(50, 5)] } },
      { kind: 'delta', version: 3, yes: [level(41, 2)], no: [] },
    ]);
  });

  it('sends at most ten deltas a second, each with the newest size of a level', () => {
    const { snapshot, change, updates } = createReader();
    snapshot([level(40, 5)], []);
    aTurn();
    for (let size = 1; size <= 500; size += 1) {
      change('yes', level(40, size));
      vi.advanceTimersByTime(2);
    }
    aTurn();
    const deltas = updates.filter((update) => update.kind === 'delta');
    expect(deltas.length).toBeGreaterThan(5);
    expect(deltas.length).toBeLessThanOrEqual(11);
    expect(deltas.at(-1)?.yes).toEqual([level(40, 500)]);
  });

  it('holds a crossed book back until it is not crossed any more', () => {
    const { markets, snapshot, change, updates } = createReader();
    snapshot([level(40, 5)], [level(50, 5)]);
    aTurn();
    change('yes', level(50, 1));
    aTurn();
    expect(markets.getBook('A')).toBe(undefined);
    expect(markets.getFirst('A')).toBe(undefined);
    expect(updates).toHaveLength(1);
    change('no', level(50, 0));
    aTurn();
    expect(updates.at(-1)).toMatchObject({ yes: [level(50, 1)], no: [level(50, 0)] });
  });

  it('given a book that stays crossed, says that it is stale; then a snapshot follows', () => {
    const { snapshot, change, kinds } = createReader();
    snapshot([level(40, 5)], [level(50, 5)]);
    aTurn();
    change('yes', level(60, 1));
    vi.advanceTimersByTime(1_500);
    expect(kinds()).toEqual(['snapshot', 'stale']);
    change('yes', level(60, 0));
    aTurn();
    expect(kinds()).toEqual(['snapshot', 'stale', 'snapshot']);
  });

  it('given a stale book, says so at once and sends nothing of it until it is complete', () => {
    const { snapshot, change, lose, updates, kinds, markets } = createReader();
    snapshot([level(40, 5)], []);
    aTurn();
    change('yes', level(41, 5));
    lose();
    aTurn();
    expect(kinds()).toEqual(['snapshot', 'stale']);
    expect(markets.getFirst('A')).toMatchObject({ kind: 'stale', asOf: expect.any(Date) });
    snapshot([level(42, 1)], []);
    aTurn();
    expect(updates.at(-1)).toMatchObject({ kind: 'snapshot', version: 4 });
  });

  it('sends every trade once, also those that it reads after a gap', async () => {
    const { publish, snapshot, state, updates } = createReader();
    snapshot([], []);
    aTurn();
    const now = Date.now();
    publish({ kind: 'trade', trade: trade('1', new Date(now + 1)) });
    state.trades = [
      trade('3', new Date(now + 3)),
      trade('2', new Date(now + 2)),
      trade('1', new Date(now + 1)),
      trade('0', new Date(now - 60_000)),
    ];
    publish({ kind: 'trades_missed' });
    await vi.advanceTimersByTimeAsync(500);
    publish({ kind: 'trade', trade: trade('3', new Date(now + 3)) });
    const ids = updates.flatMap((update) => (update.kind === 'trade' ? update.trade.tradeId : []));
    expect(ids).toEqual(['1', '2', '3']);
  });
});

describe('live markets', () => {
  it('given many readers, follow a market once, and leave it a while after the last', () => {
    const { markets, state, followed } = createReader();
    for (let reader = 0; reader < 100; reader += 1) markets.follow('A');
    for (let reader = 0; reader < 101; reader += 1) markets.leave('A');
    vi.advanceTimersByTime(900);
    markets.follow('A');
    expect(state.follows).toBe(1);
    markets.leave('A');
    vi.advanceTimersByTime(1_100);
    expect(followed.size).toBe(0);
    expect(markets.getBook('A')).toBe(undefined);
  });

  it('given too many markets, leave one without readers, or refuse', () => {
    const { exchange } = createExchange();
    const markets = createLiveMarkets({ exchange, log }, { mostMarkets: 2 });
    markets.follow('A');
    markets.follow('B');
    markets.leave('B');
    markets.follow('C');
    expect(() => markets.follow('D')).toThrow('Too many live books');
  });
});

const action = fc.oneof(
  fc.record({
    kind: fc.constant('change' as const),
    side: fc.constantFrom('yes' as const, 'no' as const),
    price: fc.integer({ min: 35, max: 65 }),
    size: fc.integer({ min: 0, max: 3 }),
  }),
  fc.record({ kind: fc.constant('lose' as const) }),
  fc.record({ kind: fc.constant('snapshot' as const) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 250 }) }),
);

it('given any changes, losses and pauses, a reader’s book is never crossed and ends as the exchange’s', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const { markets, snapshot, change, lose, updates, state } = createReader();
      const levels: Record<OutcomeSide, Map<bigint, bigint>> = { yes: new Map(), no: new Map() };
      let real: OrderBook = { ticker: 'A', yesBids: [], noBids: [] };
      let version = 0;
      let isStale = true;
      const read = () => {
        for (const update of updates.splice(0)) {
          if (update.kind === 'trade' || update.kind === 'prices') continue;
          if (version > 0) expect(update.version).toBe(version + 1);
          version = update.version;
          isStale = update.kind === 'stale';
          if (update.kind === 'snapshot') {
            for (const [side, bids] of [
              ['yes', update.book.yesBids],
              ['no', update.book.noBids],
            ] as const) {
              levels[side] = new Map(bids.map((one) => [one.priceMicros, one.contractMicros]));
            }
          }
          if (update.kind === 'delta') {
            for (const side of ['yes', 'no'] as const) {
              for (const { priceMicros, contractMicros } of update[side]) {
                if (contractMicros === 0n) levels[side].delete(priceMicros);
                else levels[side].set(priceMicros, contractMicros);
              }
            }
          }
          const best = (side: OutcomeSide) =>
            [...levels[side].keys()].reduce((most, price) => (price > most ? price : most), 0n);
          if (!isStale && levels.yes.size > 0 && levels.no.size > 0) {
            expect(best('yes') + best('no')).toBeLessThan(1_000_000n);
          }
        }
      };
      for (const one of actions) {
        if (one.kind === 'snapshot') snapshot(real.yesBids, real.noBids);
        else if (one.kind === 'lose') lose();
        else if (one.kind === 'wait') vi.advanceTimersByTime(one.ms);
        else if (state.book) {
          change(one.side, level(one.price, one.size));
          real = state.book;
        }
        read();
      }
      snapshot([level(30, 1)], [level(30, 2)]);
      vi.advanceTimersByTime(1_000);
      read();
      expect(isStale).toBe(false);
      expect(levels).toEqual({
        yes: new Map([[cents(30), 1_000_000n]]),
        no: new Map([[cents(30), 2_000_000n]]),
      });
      markets.close();
    }),
    { numRuns: 200 },
  );
});
