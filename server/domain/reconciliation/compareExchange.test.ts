import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareExchange, nettedPairs, showsAllHeld } from './compareExchange.ts';
import type { Books, ExchangeSnapshot, InFlight } from './readBooks.ts';

type Trade = {
  ticker: string;
  side: 'yes' | 'no';
  action: 'buy' | 'sell';
  contracts: bigint;
  price: bigint;
};

const CASH = 10n ** 12n;

/**
 * Simulates the exchange's rules (one net position per market; closing it pays the complement of
 * the price) and our ledger (gross, both sides).
 */
function play(trades: Trade[]) {
  let cash = CASH;
  let treasury = 0n;
  const net = new Map<string, bigint>();
  const gross = new Map<string, bigint>();
  for (const { ticker, side, action, contracts, price } of trades) {
    const key = `${ticker}|${side}`;
    const held = gross.get(key) ?? 0n;
    // Users sell only what they hold.
    if (action === 'sell' && held < contracts) continue;
    gross.set(key, held + (action === 'buy' ? contracts : -contracts));
    treasury += action === 'buy' ? -contracts * price : contracts * price;
    const isBid = (side === 'yes') === (action === 'buy');
    const yesPrice = side === 'yes' ? price : 100n - price;
    const before = net.get(ticker) ?? 0n;
    const own = isBid ? yesPrice : 100n - yesPrice;
    const against = isBid ? -before : before;
    const closing = against > 0n ? (against < contracts ? against : contracts) : 0n;
    cash += closing * (100n - own) - (contracts - closing) * own;
    net.set(ticker, before + (isBid ? contracts : -contracts));
  }
  return { cash, treasury, net, gross };
}

function booksOf(
  { treasury, gross }: Pick<ReturnType<typeof play>, 'treasury' | 'gross'>,
  inFlight: InFlight[] = [],
): Books {
  return {
    blockNumber: 1n,
    blockHash: '0x',
    sums: [],
    // Prices are whole micro-dollars per contract here, so that a pair is worth 100.
    treasuryUsdcMicros: treasury,
    pending: [],
    unbalancedPostings: [],
    unassigned: [],
    followed: [],
    holdings: [...gross].map(([key, contractMicros]) => {
      const [ticker = '', side] = key.split('|');
      const isYes = side === 'yes';
      return {
        ticker,
        side: isYes ? ('yes' as const) : ('no' as const),
        contractMicros,
        isSettled: false,
        isTrading: true,
      };
    }),
    inFlight,
    inTransitUsdcMicros: 0n,
    orderProblems: [],
    settlementProblems: [],
    baselines: new Map([['exchange_cash|account', CASH]]),
  };
}

const tradeArbitrary = fc.record({
  ticker: fc.constantFrom('A', 'B'),
  side: fc.constantFrom('yes' as const, 'no' as const),
  action: fc.constantFrom('buy' as const, 'sell' as const),
  contracts: fc.bigInt({ min: 1n, max: 1000n }),
  price: fc.bigInt({ min: 1n, max: 99n }),
});

describe('compareExchange', () => {
  test('given trades in any order, a netting exchange pays back exactly a dollar per pair', () => {
    fc.assert(
      fc.property(fc.array(tradeArbitrary, { maxLength: 40 }), (trades) => {
        const played = play(trades);
        const { holdings } = booksOf(played);
        expect(played.cash).toBe(CASH + played.treasury + 100n * nettedPairs(holdings));
      }),
    );
  });

  test('finds nothing when fills, positions and cash agree, and otherwise names the market', () => {
    fc.assert(
      fc.property(
        fc.array(tradeArbitrary, { minLength: 1, maxLength: 20 }),
        fc.bigInt({ min: 1n, max: 50n }),
        (trades, stolen) => {
          const played = play(trades);
          const books = booksOf(played);
          const pairs = nettedPairs(books.holdings);
          const exchange: ExchangeSnapshot = {
            cashUsdcMicros: CASH + played.treasury + pairs,
            netOf: played.net,
            paid: new Set<string>(),
            restingFilled: new Map(),
          };
          const looks = { before: books, after: books };
          expect(compareExchange(looks, exchange)).toEqual([]);
          const net = new Map(played.net).set('A', (played.net.get('A') ?? 0n) + stolen);
          expect(
            compareExchange(looks, {
              ...exchange,
              netOf: net,
              paid: new Set<string>(),
              restingFilled: new Map(),
            }),
          ).toMatchObject([{ kind: 'exchange_position', subject: 'A', tickers: ['A'] }]);
          const cashUsdcMicros = exchange.cashUsdcMicros - stolen;
          expect(compareExchange(looks, { ...exchange, cashUsdcMicros })).toMatchObject([
            { kind: 'exchange_cash', tickers: [] },
          ]);
        },
      ),
    );
  });

  test('allows for orders in flight up to their size', () => {
    const books = booksOf({ treasury: 0n, gross: new Map([['A|yes', 10n]]) }, [
      { orderId: 'x', ticker: 'A', side: 'no', tradeAction: 'buy', contractMicros: 4n },
    ]);
    const looks = { before: books, after: books };
    const at = (net: bigint) =>
      compareExchange(looks, {
        cashUsdcMicros: CASH,
        netOf: new Map([['A', net]]),
        paid: new Set<string>(),
        restingFilled: new Map(),
      });
    for (const net of [10n, 8n, 6n]) expect(at(net)).toEqual([]);
    expect(at(5n)).toMatchObject([{ kind: 'exchange_position', orderIds: ['x'] }]);
    expect(at(11n)).toHaveLength(1);
  });

  test('treats fills recorded during the exchange read as possible, not as missing', () => {
    const before = booksOf({ treasury: 0n, gross: new Map([['A|yes', 10n]]) });
    const after = booksOf({ treasury: 0n, gross: new Map([['A|yes', 13n]]) });
    const at = (net: bigint) =>
      compareExchange(
        { before, after },
        {
          cashUsdcMicros: CASH,
          netOf: new Map([['A', net]]),
          paid: new Set<string>(),
          restingFilled: new Map(),
        },
      );
    expect(at(10n)).toEqual([]);
    expect(at(13n)).toEqual([]);
    expect(at(14n)).toHaveLength(1);
  });
});

test('given a market that the exchange has paid and the mirror lists as open, waits for its booking', () => {
  const played = play([{ ticker: 'A', side: 'yes', action: 'buy', contracts: 10n, price: 40n }]);
  const books = booksOf(played);
  const looks = { before: books, after: books };
  const gone = { cashUsdcMicros: CASH + 600n, netOf: new Map<string, bigint>() };
  const at = (paid: Set<string>) =>
    compareExchange(looks, { ...gone, paid, restingFilled: new Map() });
  expect(at(new Set(['A']))).toEqual([]);
  expect(at(new Set()).map((one) => one.kind)).toContain('exchange_position');
});

describe('showsAllHeld', () => {
  const trade = { ticker: 'A', side: 'no', action: 'buy', contracts: 158n, price: 89n } as const;

  test('given any trades, agrees while nothing is paid', () => {
    fc.assert(
      fc.property(fc.array(tradeArbitrary, { maxLength: 20 }), (trades) => {
        const played = play(trades);
        const exchange = {
          cashUsdcMicros: played.cash,
          netOf: played.net,
          paid: new Set<string>(),
          restingFilled: new Map(),
        };
        expect(showsAllHeld(booksOf(played), exchange)).toBe(true);
      }),
    );
  });

  test('detects an exchange payment that the ledger has not recorded', () => {
    const books = booksOf(play([trade]));
    const paid = {
      cashUsdcMicros: CASH,
      netOf: new Map<string, bigint>(),
      paid: new Set<string>(),
      restingFilled: new Map(),
    };
    expect(showsAllHeld(books, paid)).toBe(false);
    const booked = books.holdings.map((one) => ({ ...one, isSettled: true }));
    expect(showsAllHeld({ ...books, holdings: booked }, paid)).toBe(true);
  });

  test('counts a position that an admin has accepted', () => {
    const played = play([trade]);
    const books = booksOf(played);
    const exchange = {
      cashUsdcMicros: played.cash,
      netOf: new Map([['A', -148n]]),
      paid: new Set<string>(),
      restingFilled: new Map(),
    };
    expect(showsAllHeld(books, exchange)).toBe(false);
    const baselines = new Map([['exchange_position|A', 10n]]);
    expect(showsAllHeld({ ...books, baselines }, exchange)).toBe(true);
  });
});
