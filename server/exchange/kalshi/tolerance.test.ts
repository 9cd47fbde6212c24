import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createKalshiExchange } from './kalshiExchange.ts';
import { readMarket } from './market.ts';
import { readOrderBook } from './orderBook.ts';
import { readFill } from './ownRecords.ts';
import * as payloads from './testing/payloads.ts';
import { asWire, decimalMicros, moment, priceMicros, type Wire } from './wire.ts';

/**
 * Given any corruption, a page is read, and every number that is read is correct: a corrupted field
 * is read from its other spelling or is missing, and a different spelling is read the same.
 */
const NOW = new Date('2026-11-21T00:00:00Z');
const HUGE = '9'.repeat(30);

/** Values that are invalid in every numeric field. */
const spoilt = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', 'abc', '0x1f', 'NaN', '--1', '1,5', '1 2', {}),
  fc.constantFrom<unknown>([], [1], true, false, Number.NaN, Number.POSITIVE_INFINITY),
  fc.constantFrom<unknown>(HUGE, 1e300, '1e99', -5, '-0.5', '\0', '1e'),
);

/** The same amount of dollars or contracts in another spelling. */
function respelt(micros: bigint): fc.Arbitrary<unknown> {
  const plain = `${micros / 1_000_000n}.${(micros % 1_000_000n).toString().padStart(6, '0')}`;
  const short = plain.replace(/0+$/, '').replace(/\.$/, '');
  return fc.constantFrom<unknown>(
    plain,
    short,
    ` ${plain} `,
    Number(plain),
    `+${plain}`,
    `${plain}000`,
    `${micros}e-6`,
    `${short.startsWith('0.') ? short.slice(1) : short}`,
    Number(plain).toExponential(),
  );
}

/** Market fields in all their spellings, and the value to read from them. */
const FIELDS = [
  { read: 'yesBidMicros', dollars: 'yes_bid_dollars', value: 610_000n },
  { read: 'yesAskMicros', dollars: 'yes_ask_dollars', value: 640_000n },
  { read: 'lastPriceMicros', dollars: 'last_price_dollars', value: 620_000n },
  { read: 'previousPriceMicros', dollars: 'previous_price_dollars', value: 550_000n },
  { read: 'volumeContractMicros', dollars: 'volume_fp', value: 1_204_000_000n },
  { read: 'volume24hContractMicros', dollars: 'volume_24h_fp', value: 87_000_000n },
  { read: 'openInterestContractMicros', dollars: 'open_interest_fp', value: 933_000_000n },
] as const;
const MARKETS = {
  cents: payloads.CENTS_MARKET,
  both: payloads.BOTH_MARKET,
  dollars: payloads.DOLLARS_MARKET,
};

describe('readMarket', () => {
  test.each(Object.entries(MARKETS))('reads the same from the era of %s', (_era, wire) => {
    const market = readMarket(wire, NOW);
    for (const { read, value } of FIELDS) expect(market?.[read]).toBe(value);
    expect(market).toMatchObject({ status: 'open', isOffered: true, yesSubTitle: 'Seattle' });
    expect(market?.closeAt).toEqual(new Date('2026-12-01T07:59:00Z'));
  });

  it('given any corrupted fields, never reads a wrong number', () => {
    const mutation = fc.record({
      era: fc.constantFrom(...Object.values(MARKETS)),
      names: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
      value: spoilt,
    });
    fc.assert(
      fc.property(mutation, ({ era, names, value }) => {
        const keys = Object.keys(era);
        const wire: Wire = { ...era };
        for (const name of names) wire[keys[name % keys.length] ?? ''] = value;
        const market = readMarket(wire, NOW);
        if (!market) return;
        for (const { read, value: expected } of FIELDS) {
          expect([expected, null, 0n]).toContain(market[read]);
        }
        expect(market.final).toBe(undefined);
        for (const range of market.priceRanges) expect(range.stepMicros > 0n).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  it('given any spelling, reads the same amount', () => {
    const cases = fc
      .constantFrom(...FIELDS)
      .chain((field) => fc.tuple(fc.constant(field), respelt(field.value)));
    fc.assert(
      fc.property(cases, ([{ read, dollars, value }, spelling]) => {
        const market = readMarket({ ...payloads.DOLLARS_MARKET, [dollars]: spelling }, NOW);
        expect(market?.[read]).toBe(value);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [61, 610_000n],
    ['61', 610_000n],
    ['0.6100', 610_000n],
    [0.61, 610_000n],
    ['61.5', 615_000n],
    [1, 10_000n],
    ['1e-7', undefined],
    [1e-7, undefined],
    [101, undefined],
    [-1, undefined],
  ])('takes a price of %s without a unit for %s', (given, expected) => {
    const market = readMarket({ ...payloads.CENTS_MARKET, yes_bid: given, no_ask: null }, NOW);
    expect(market?.yesBidMicros ?? undefined).toBe(expected);
  });

  const STATUSES = {
    initialized: 'unopened',
    unopened: 'unopened',
    open: 'open',
    active: 'open',
    ACTIVE: 'open',
    inactive: 'paused',
    closed: 'closed',
    determined: 'closed',
    disputed: 'closed',
    amended: 'closed',
    finalized: 'settled',
    settled: 'settled',
    quantum: 'closed',
    toString: 'closed',
    '': 'closed',
  };
  it.each(Object.entries(STATUSES))('takes the status "%s" as %s', (status, expected) => {
    expect(readMarket({ ...payloads.DOLLARS_MARKET, status }, NOW)?.status).toBe(expected);
  });

  it.each([
    ['yes', '1.0000', 1_000_000n],
    ['yes', undefined, 1_000_000n],
    ['yes', null, 1_000_000n],
    ['no', '0.0000', 0n],
    ['no', 0, 0n],
    ['YES', '1', 1_000_000n],
    ['scalar', '0.4700', 470_000n],
    ['scalar', 0.47, 470_000n],
    ['scalar', '4.7e-1', 470_000n],
    ['scalar', '0', 0n],
    ['void', '0.5000', 500_000n],
    ['', '0.3700', undefined],
    ['maybe', '0.3700', undefined],
    ['yes', '0.4700', undefined],
    ['no', '1.0000', undefined],
    ['scalar', undefined, undefined],
    ['scalar', '1.5', undefined],
    ['scalar', '-0.5', undefined],
    ['void', undefined, undefined],
    ['', undefined, undefined],
    ['', '0.0000', undefined],
    ['maybe', '1.0000', undefined],
  ])('pays a final "%s" with a value of %s at %s', (result, value, expected) => {
    const wire = {
      ...payloads.DOLLARS_MARKET,
      status: 'finalized',
      result,
      settlement_value_dollars: value,
    };
    expect(readMarket(wire, NOW)?.final?.payoutYesMicros).toBe(expected);
  });

  it('reads the cents of a scalar payout in older records', () => {
    const wire = { ...payloads.CENTS_MARKET, status: 'settled', result: 'scalar' };
    const final = readMarket({ ...wire, settlement_value: 47 }, NOW)?.final;
    expect(final).toMatchObject({ payoutYesMicros: 470_000n, result: 'scalar' });
  });

  it('given any shown result, pays nothing before a market is final', () => {
    for (const status of ['closed', 'determined', 'disputed', 'amended', 'active', 'new']) {
      const wire = { ...payloads.SCALAR_MARKET, status, result: 'yes' };
      expect(readMarket(wire, NOW)?.final).toBe(undefined);
    }
  });

  it('given a final record with corrupted fields, never pays another amount', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 5 }), spoilt, (names, value) => {
        const keys = Object.keys(payloads.SCALAR_MARKET);
        const wire: Wire = { ...payloads.SCALAR_MARKET };
        for (const name of names) wire[keys[name % keys.length] ?? ''] = value;
        const final = readMarket(wire, NOW)?.final;
        if (final) expect(final.payoutYesMicros).toBe(470_000n);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['a step of nothing', [{ start: '0', end: '1', step: '0' }]],
    ['a range beyond a dollar', [{ start: '0', end: '2', step: '0.01' }]],
    ['a range that is half missing', [{ start: '0', end: '1' }]],
    ['a list with one bad range', [{ start: '0', end: '1', step: '0.001' }, null]],
    ['no list', 'deci_cent'],
  ])('falls back to whole cents, which every grid has, for %s', (_what, ranges) => {
    const market = readMarket({ ...payloads.DOLLARS_MARKET, price_ranges: ranges }, NOW);
    expect(market?.priceRanges).toEqual([
      { startMicros: 0n, endMicros: 1_000_000n, stepMicros: 10_000n },
    ]);
  });

  it('given any kind of combination, does not offer it', () => {
    for (const drop of ['mve_collection_ticker', 'mve_selected_legs', 'event_ticker', 'ticker']) {
      const wire = { ...payloads.COMBO_MARKET, [drop]: drop === 'ticker' ? 'KXOTHER-1' : null };
      expect(readMarket(wire, NOW)?.isOffered).toBe(false);
    }
  });
});

describe('moment', () => {
  const AT = Date.UTC(2026, 10, 20, 21, 3, 44, 500);
  it.each([
    ['2026-11-20T21:03:44.5Z'],
    ['2026-11-20T21:03:44.500123Z'],
    ['2026-11-20T21:03:44.500123456Z'],
    ['2026-11-20T21:03:44.5'],
    ['2026-11-20 21:03:44.5+00:00'],
    ['2026-11-20T22:03:44.5+01:00'],
    [AT],
    [AT / 1000],
    [String(AT)],
    [AT * 1_000],
  ])('reads %s', (value) => {
    expect(moment(value)?.getTime()).toBe(AT);
  });

  it.each([
    ['0001-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z'],
    ['12'],
    ['yesterday'],
    ['2026-13-45T00:00:00Z'],
    [0],
    [-1],
    [null],
    [{}],
    [Number.NaN],
  ])('takes %s for no time', (value) => {
    expect(moment(value)).toBe(undefined);
  });
});

describe('decimalMicros', () => {
  it('reads every common spelling of a decimal', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (micros) => {
        for (const text of [
          `${micros}e-6`,
          `${micros / 1_000_000n}.${(micros % 1_000_000n).toString().padStart(6, '0')}`,
        ]) {
          expect(decimalMicros(text)).toBe(micros);
          expect(decimalMicros(`-${text}`)).toBe(-micros);
        }
      }),
    );
    expect(decimalMicros(1e-7)).toBe(0n);
    expect(decimalMicros('1.5E3')).toBe(1_500_000_000n);
    expect(decimalMicros('.5')).toBe(500_000n);
    expect(decimalMicros('5.')).toBe(5_000_000n);
  });
});

describe('books and fills', () => {
  it('given a corrupted book, never finds more contracts than there were', () => {
    const total = (book: ReturnType<typeof readOrderBook>) =>
      [...book.yesBids, ...book.noBids].reduce((sum, level) => sum + level.contractMicros, 0n);
    const paths = [0, 1, 2].flatMap((level) => [
      ['yes_dollars', level] as const,
      ['no_dollars', level] as const,
    ]);
    const whole = total(readOrderBook('T', payloads.ORDER_BOOK));
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.nat(1), spoilt, ([side, at], part, value) => {
        const book = structuredClone(payloads.ORDER_BOOK) as {
          orderbook_fp: Record<string, unknown[][]>;
        };
        const level = book.orderbook_fp[side]?.[at];
        if (level) level[part] = value;
        const read = readOrderBook('T', book);
        expect(total(read) <= whole).toBe(true);
        const prices = [...read.yesBids, ...read.noBids].map((one) => one.priceMicros);
        expect(prices.every((price) => price > 0n && price < 1_000_000n)).toBe(true);
      }),
    );
    expect(readOrderBook('T', payloads.CENTS_ORDER_BOOK).yesBids[0]).toEqual({
      priceMicros: 610_000n,
      contractMicros: 250_000_000n,
    });
  });

  it('records a fill unchanged or not at all', () => {
    const good = readFill(payloads.FILL, 'yes');
    expect(good).toMatchObject({ contractMicros: 14_110_000n, priceMicros: 840_000n });
    expect(good?.feeMicros).toBe(132_800n);
    expect(readFill(payloads.FILL, 'no')?.priceMicros).toBe(160_000n);
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), spoilt, (names, value) => {
        const keys = Object.keys(payloads.FILL);
        const wire: Wire = { ...payloads.FILL };
        for (const name of names) wire[keys[name % keys.length] ?? ''] = value;
        const fill = readFill(wire, 'yes');
        if (!fill) return;
        expect(fill.contractMicros).toBe(14_110_000n);
        expect(fill.priceMicros).toBe(840_000n);
        expect(fill.feeMicros).toBe(132_800n);
      }),
      { numRuns: 500 },
    );
  });
});

describe('pages', () => {
  const json = fc.oneof(fc.jsonValue() as fc.Arbitrary<unknown>, spoilt);

  const { privateKey: privateKeyPem } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

  /** The adapter over an exchange with a fixed response per path. */
  function exchangeThatHears(responses: Record<string, unknown>) {
    return createKalshiExchange({
      url: 'http://exchange.test/trade-api/v2',
      credentials: { keyId: 'key', privateKeyPem },
      log: createLog('test', 'silent'),
      fetch: async (input) => {
        const path = new URL(input instanceof Request ? input.url : input).pathname.replace(
          '/trade-api/v2',
          '',
        );
        const body = responses[path] ?? {};
        return new Response(JSON.stringify(body) ?? 'null', { status: 200 });
      },
    });
  }

  it('skips unreadable entries of any kind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(json, { maxLength: 4 }), async (junk) => {
        const event = { ...payloads.EVENT, markets: [...junk, payloads.DOLLARS_MARKET, ...junk] };
        const exchange = exchangeThatHears({
          '/events': { events: [...junk, event, ...junk], cursor: junk[0] },
          '/markets': { markets: [...junk, payloads.BOTH_MARKET], cursor: null },
          '/series': { series: [...junk, payloads.SERIES] },
          '/markets/trades': { trades: [...junk, payloads.TRADE] },
          '/portfolio/positions': { market_positions: [...junk, payloads.POSITION] },
        });
        const { catalogue } = exchange;
        const { events } = await catalogue.listEvents({});
        const read = events.find((one) => one.eventTicker === 'KXRAIN-26NOV30');
        expect(read?.markets.map((one) => one.yesBidMicros)).toContain(610_000n);
        const { markets, cursor } = await catalogue.listMarkets({});
        expect(markets.some((one) => one.ticker === 'KXRAIN-26NOV30-SEA')).toBe(true);
        expect(cursor).toBe('');
        const series = await catalogue.listSeries();
        expect(series.at(-1)).toMatchObject({ ticker: 'KXRAIN', frequency: 'daily' });
        const { trades } = await catalogue.listTrades({ ticker: 'T', limit: 9 });
        expect(trades.at(-1)).toMatchObject({ yesPriceMicros: 620_000n, takerSide: 'no' });
        expect((await exchange.listPositions()).at(-1)?.netContractMicros).toBe(-12_500_000n);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [{}, 14_110_000n],
    [{ fill_count_fp: null }, 14_110_000n],
    [{ fill_count_fp: null, fill_count: 14.11 }, 14_110_000n],
    [{ fill_count_fp: 'much', status: 'canceled' }, undefined],
    [{ order_id: null }, undefined],
  ])(
    'tell of an order with %o what it filled, or that this is not known yet',
    async (spoilt, filled) => {
      const exchange = exchangeThatHears({
        '/portfolio/orders': { orders: [null, 7, { ...payloads.ORDER, ...spoilt }], cursor: '' },
        '/exchange/user_data_timestamp': { as_of_time: '2026-11-21T00:00:00.123456Z' },
      });
      const query = { ticker: 'T', clientOrderId: 'c-1', sentAt: new Date() };
      const found = await exchange.findOrder(query);
      expect(found.kind).toBe(filled === undefined ? 'not_yet_known' : 'found');
      if (found.kind === 'found') expect(found.filledContractMicros).toBe(filled);
    },
  );

  it('treats a page that names itself as the next one as the last', async () => {
    const { catalogue } = exchangeThatHears({
      '/events': { events: [payloads.EVENT], cursor: 'c' },
    });
    expect((await catalogue.listEvents({ cursor: 'c' })).cursor).toBe('');
  });

  it('does not treat a response without a market as proof of absence', async () => {
    const exchange = exchangeThatHears({ '/markets/T': { market: null } });
    await expect(exchange.getMarket('T')).rejects.toThrow('unreadable');
  });
});

test('reads a nested price by its own name', () => {
  expect(priceMicros(asWire(payloads.CANDLE.yes_bid), 'close')).toBe(610_000n);
});
