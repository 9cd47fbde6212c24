import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { ExchangeResponseError, ExchangeUnavailableError } from '../errors.ts';
import { createCandleReads } from './candleReads.ts';
import type { HttpClient, Query } from './httpClient.ts';
import { TRADE } from './testing/payloads.ts';
import { createTradeReads } from './tradeReads.ts';
import { createTrading } from './trading.ts';
import type { Wire } from './wire.ts';

const log = pino({ level: 'silent' });
const SENT_AT = new Date('2026-10-20T10:00:00Z');
const NOW = new Date('2026-11-20T10:00:00Z');
const CUTOFF = {
  orders_updated_ts: '2026-11-06T00:00:00Z',
  trades_created_ts: '2026-11-06T00:00:00Z',
};
const ORDER = {
  order_id: 'o-1',
  client_order_id: 'c-1',
  ticker: 'RAIN',
  status: 'executed',
  fill_count_fp: '3.00',
};

/** An exchange with a response per path; a missing one is a 404. Notes the paths in order. */
function exchangeWith(responses: Record<string, Wire | ((query: Query) => Wire)>) {
  const asked: string[] = [];
  const get: HttpClient['get'] = async (path, query = {}) => {
    asked.push(path);
    const response = responses[path];
    if (!response) throw new ExchangeResponseError(404, 'not_found', path);
    return typeof response === 'function' ? response(query) : response;
  };
  const http: HttpClient = {
    get,
    getDated: async () => ({ body: { as_of_time: NOW.toISOString() }, date: NOW }),
    post: () => Promise.reject(new Error('nothing is sent')),
    delete: () => Promise.reject(new Error('nothing is sent')),
    mostTogether: () => 1,
  };
  const socket = { wsUrl: 'ws://exchange.test', signer: async () => ({}), log };
  const timing = { toleranceMs: 30_000, absenceMs: 45_000 };
  const trading = createTrading({ http, socket, timing }, log, () => NOW.getTime());
  return {
    asked,
    trades: createTradeReads(http, log),
    candles: createCandleReads(http, log),
    find: (sentAt = SENT_AT) => trading.findOrder({ ticker: 'RAIN', clientOrderId: 'c-1', sentAt }),
    listOrders: () => trading.listOrders({ since: SENT_AT }),
  };
}

const NO_ORDERS = { orders: [], cursor: '' };

describe('finding an attempt', () => {
  it.each([
    ['live', { '/portfolio/orders': { orders: [ORDER] } }],
    [
      'archived',
      {
        '/portfolio/orders': NO_ORDERS,
        '/historical/cutoff': CUTOFF,
        '/historical/orders': { orders: [ORDER] },
      },
    ],
    [
      'archived, with a cutoff that cannot be read',
      {
        '/portfolio/orders': NO_ORDERS,
        '/historical/cutoff': {},
        '/historical/orders': { orders: [ORDER] },
      },
    ],
  ])('given it is %s, finds it', async (_, responses) => {
    expect(await exchangeWith(responses).find()).toMatchObject({ kind: 'found' });
  });

  it('given it is on neither side, calls it absent, with the live side read first', async () => {
    const exchange = exchangeWith({
      '/portfolio/orders': NO_ORDERS,
      '/historical/cutoff': CUTOFF,
      '/historical/orders': NO_ORDERS,
    });
    expect(await exchange.find()).toEqual({ kind: 'absent' });
    expect(exchange.asked).toEqual([
      '/portfolio/orders',
      '/historical/cutoff',
      '/historical/orders',
    ]);
  });

  it('given it is newer than the cutoff, leaves the archive alone', async () => {
    const exchange = exchangeWith({ '/portfolio/orders': NO_ORDERS, '/historical/cutoff': CUTOFF });
    expect(await exchange.find(new Date('2026-11-19T10:00:00Z'))).toEqual({ kind: 'absent' });
  });

  it('given an exchange without an archive, needs none', async () => {
    const exchange = exchangeWith({ '/portfolio/orders': NO_ORDERS });
    expect(await exchange.find()).toEqual({ kind: 'absent' });
  });

  it.each([
    ['the live list', { '/portfolio/orders': {} }],
    [
      'the archive',
      {
        '/portfolio/orders': NO_ORDERS,
        '/historical/cutoff': CUTOFF,
        '/historical/orders': { orders: 'none' },
      },
    ],
  ])('given %s cannot be read, does not call it absent', async (_, responses) => {
    await expect(exchangeWith(responses).find()).rejects.toBeInstanceOf(ExchangeUnavailableError);
  });
});

it('given an order on both sides, lists it once', async () => {
  const exchange = exchangeWith({
    '/portfolio/orders': { orders: [ORDER] },
    '/historical/cutoff': CUTOFF,
    '/historical/orders': {
      orders: [ORDER, { ...ORDER, order_id: 'o-2', client_order_id: 'c-2' }],
    },
  });
  const listed = await exchange.listOrders();
  expect(listed.map((one) => one.clientOrderId)).toEqual(['c-1', 'c-2']);
});

describe('trades', () => {
  it('given a market that opened after the cutoff, reads the live side only', async () => {
    const exchange = exchangeWith({
      '/markets/trades': { trades: [TRADE] },
      '/historical/cutoff': CUTOFF,
    });
    const openedAt = new Date('2026-11-10T00:00:00Z');
    const page = await exchange.trades.listTrades({ ticker: 'RAIN', limit: 5, openedAt });
    expect(page).toMatchObject({ trades: [{ yesPriceMicros: 620_000n }], cursor: '' });
  });

  it('given a trade on both sides, lists it once', async () => {
    const older = { ...TRADE, trade_id: 'older', created_time: '2026-01-01T00:00:00Z' };
    const exchange = exchangeWith({
      '/markets/trades': { trades: [TRADE] },
      '/historical/cutoff': CUTOFF,
      '/historical/trades': { trades: [TRADE, older] },
    });
    const { trades } = await exchange.trades.listTrades({ ticker: 'RAIN', limit: 5 });
    expect(trades.map((one) => one.tradeId)).toEqual([TRADE.trade_id, 'older']);
  });
});

describe('candles', () => {
  const CANDLE = { end_period_ts: 1_763_800_000, volume: '1.00', price: { close: '0.5600' } };
  const path = '/series/S/markets/RAIN/candlesticks';
  const span = { from: SENT_AT, to: NOW, periodMinutes: 60 } as const;
  const listWith = (responses: Parameters<typeof exchangeWith>[0]) =>
    exchangeWith(responses).candles.listCandles({ seriesTicker: 'S', ticker: 'RAIN', ...span });

  it('given a market that is only in the archive, reads its unsuffixed candles', async () => {
    const archived = { '/historical/markets/RAIN/candlesticks': { candlesticks: [CANDLE] } };
    const expected = [{ lastPriceMicros: 560_000n, volumeContractMicros: 1_000_000n }];
    expect(await listWith(archived)).toMatchObject(expected);
    expect(await listWith({ ...archived, [path]: { candlesticks: [] } })).toMatchObject(expected);
  });

  it('given none on either side, there are none', async () => {
    expect(await listWith({ [path]: { candlesticks: [] } })).toEqual([]);
  });

  it.each([[{}], [{ candlesticks: 'none' }], [{ candlesticks: [{}, 7] }]])(
    'given the unreadable response %o, fails',
    async (body) => {
      await expect(listWith({ [path]: body })).rejects.toBeInstanceOf(ExchangeUnavailableError);
    },
  );

  it('given one unreadable market among many, leaves it out', async () => {
    const { candles } = exchangeWith({
      '/markets/candlesticks': {
        markets: [
          { market_ticker: 'A', candlesticks: [CANDLE] },
          { market_ticker: 'B', candlesticks: null },
        ],
      },
    });
    const found = await candles.listCandlesOf({ tickers: ['A', 'B'], ...span });
    expect([...found.keys()]).toEqual(['A']);
  });

  it('given a call that one archived market fails, reads the others', async () => {
    const { candles } = exchangeWith({
      '/markets/candlesticks': ({ market_tickers }) => {
        const tickers = String(market_tickers).split(',');
        if (tickers.includes('GONE')) throw new ExchangeResponseError(404, 'not_found', 'GONE');
        return { markets: tickers.map((ticker) => ({ ticker, candlesticks: [CANDLE] })) };
      },
    });
    const found = await candles.listCandlesOf({ tickers: ['A', 'B', 'GONE', 'C'], ...span });
    expect([...found].map(([ticker, list]) => [ticker, list.length])).toEqual([
      ['A', 1],
      ['B', 1],
      ['GONE', 0],
      ['C', 1],
    ]);
  });
});
