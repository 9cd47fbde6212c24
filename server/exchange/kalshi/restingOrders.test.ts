import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { ExchangeResponseError } from '../errors.ts';
import { createOwnLists } from './archive.ts';
import type { HttpClient, HttpResponseBody, Query } from './httpClient.ts';
import { createOwnFeed } from './ownFeed.ts';
import { readRestingOrder } from './ownRecords.ts';
import { createRestingOrders } from './restingOrders.ts';
import type { Wire } from './wire.ts';

const log = pino({ level: 'silent' });
const SENT_AT = new Date('2026-10-20T10:00:00Z');
const NOW = new Date('2026-11-20T10:00:00Z');
const ORDER = {
  order_id: 'o-1',
  client_order_id: 'c-1',
  ticker: 'RAIN',
  status: 'resting',
  yes_price_dollars: '0.4200',
  initial_count_fp: '5.00',
  fill_count_fp: '2.00',
  remaining_count_fp: '3.00',
};
const RESTING = {
  clientOrderId: 'c-1',
  exchangeOrderId: 'o-1',
  ticker: 'RAIN',
  filledContractMicros: 2_000_000n,
  remainingContractMicros: 3_000_000n,
  yesPriceMicros: 420_000n,
  hasEnded: false,
};

/** An exchange with a response per path; a missing one is a 404. */
function exchangeWith(
  responses: Record<string, Wire | ((query: Query) => Wire)>,
  { knownThrough = NOW } = {},
) {
  const sent: { path: string; body: object | '' | undefined; signedAt: Date | undefined }[] = [];
  const post = async (
    path: string,
    message: Parameters<HttpClient['post']>[1],
  ): Promise<HttpResponseBody> => {
    const body = await message.body();
    if (body === undefined) return { kind: 'unheard', code: 'not_sent' };
    sent.push({ path, body, signedAt: message.signedAt });
    return {
      kind: 'answered',
      status: 200,
      body: { order_id: 'o-1' },
      isJson: true,
      date: undefined,
    };
  };
  const http: HttpClient = {
    get: async (path, query = {}) => {
      const response = responses[path];
      if (!response) throw new ExchangeResponseError(404, 'not_found', path);
      return typeof response === 'function' ? response(query) : response;
    },
    getDated: async () => ({
      body: { as_of_time: knownThrough.toISOString() },
      date: knownThrough,
    }),
    post,
    delete: () => Promise.reject(new Error('nothing is cancelled')),
    mostTogether: () => 1,
  };
  const feed = createOwnFeed({ wsUrl: 'ws://exchange.test', signer: async () => ({}), log });
  const timing = { toleranceMs: 30_000, absenceMs: 45_000 };
  const own = createOwnLists(http);
  const orders = createRestingOrders({ http, own, feed, timing }, log, () => NOW.getTime());
  return { orders, sent };
}

const read = ({ orders }: ReturnType<typeof exchangeWith>, sentAt = SENT_AT) =>
  orders.readOrder({ ticker: 'RAIN', exchangeOrderId: 'o-1', sentAt });

describe('reading an order', () => {
  it('finds it at the live endpoint', async () => {
    const exchange = exchangeWith({ '/portfolio/orders/o-1': { order: ORDER } });
    expect(await read(exchange)).toEqual({ kind: 'found', order: RESTING });
  });

  it('finds an archived one by its market', async () => {
    const archived = { ...ORDER, status: 'canceled', remaining_count_fp: '0.00' };
    const exchange = exchangeWith({
      '/portfolio/orders': { orders: [], cursor: '' },
      '/historical/cutoff': { orders_updated_ts: NOW.toISOString() },
      '/historical/orders': ({ ticker }) => ({
        orders: ticker === 'RAIN' ? [{ ...ORDER, order_id: 'o-2' }, archived] : [],
        cursor: '',
      }),
    });
    expect(await read(exchange)).toMatchObject({
      kind: 'found',
      order: { hasEnded: true, filledContractMicros: 2_000_000n, remainingContractMicros: 0n },
    });
  });

  it('given none, is absent only once reads are known beyond its message', async () => {
    const nothing = {
      '/portfolio/orders': { orders: [], cursor: '' },
      '/historical/orders': { orders: [], cursor: '' },
      '/historical/cutoff': { orders_updated_ts: NOW.toISOString() },
    };
    expect(await read(exchangeWith(nothing))).toEqual({ kind: 'absent' });
    const early = { knownThrough: new Date(SENT_AT.getTime() + 44_000) };
    expect(await read(exchangeWith(nothing, early))).toEqual({ kind: 'not_yet_known' });
    expect(await read(exchangeWith(nothing), NOW)).toEqual({ kind: 'not_yet_known' });
  });

  it('given one without its quantities, does not guess', async () => {
    const unreadable = { ...ORDER, fill_count_fp: undefined };
    const exchange = exchangeWith({ '/portfolio/orders/o-1': { order: unreadable } });
    expect(await read(exchange)).toEqual({ kind: 'not_yet_known' });
  });
});

describe('readRestingOrder', () => {
  const ended = { ...ORDER, status: 'canceled', remaining_count_fp: '0.00' };

  it.each([
    ['filled', { ...ended, status: 'executed' }],
    ['expired', { ...ended, last_update_reason: 'ExpiryCancel' }],
    ['market_closed', { ...ended, last_update_reason: 'CloseCancel' }],
    ['halted', { ...ended, last_update_reason: 'HaltCancel' }],
    ['self_trade', { ...ended, last_update_reason: 'SelfTradeCancel' }],
    ['post_only_crossed', { ...ended, last_update_reason: 'PostOnlyCrossCancel' }],
    ['cancelled', { ...ended, last_update_reason: 'Decrease' }],
    ['other', { ...ended, last_update_reason: 'MarginCancel' }],
    [
      'expired',
      {
        ...ended,
        expiration_time: '2026-11-01T10:00:00Z',
        last_update_time: '2026-11-01T10:00:00.2Z',
      },
    ],
    [
      undefined,
      {
        ...ended,
        expiration_time: '2026-11-01T10:00:00Z',
        last_update_time: '2026-11-01T09:00:00Z',
      },
    ],
    [undefined, ended],
  ])('given an order that ended, reads why: %s', (endReason, wire) => {
    expect(readRestingOrder(wire)).toEqual({
      ...RESTING,
      hasEnded: true,
      remainingContractMicros: 0n,
      ...(endReason ? { endReason } : {}),
    });
  });

  it('given an order that rests, its last change is no reason', () => {
    expect(readRestingOrder({ ...ORDER, last_update_reason: 'Amend' })).toEqual(RESTING);
  });

  it.each(['order_id', 'yes_price_dollars', 'fill_count_fp', 'remaining_count_fp'])(
    'given an order without its %s, reads nothing',
    (field) => {
      expect(readRestingOrder({ ...ORDER, [field]: undefined })).toBe(undefined);
    },
  );
});

describe('listing', () => {
  it('returns the resting orders of all pages, each once', async () => {
    const { orders } = exchangeWith({
      '/portfolio/orders': ({ status, cursor }) => {
        if (status !== 'resting') return { orders: [] };
        return cursor === undefined
          ? { orders: [ORDER, { ...ORDER, order_id: 'o-2' }], cursor: 'next' }
          : { orders: [{ ...ORDER, order_id: 'o-2' }, { order_id: 'o-3' }], cursor: '' };
      },
    });
    const listed = await orders.listRestingOrders();
    expect(listed.map((order) => order.exchangeOrderId)).toEqual(['o-1', 'o-2']);
  });

  it('reads queue positions in bulk, fifty markets a time', async () => {
    const asked: unknown[] = [];
    const { orders } = exchangeWith({
      '/portfolio/orders/queue_positions': ({ market_tickers: tickers }) => {
        asked.push(tickers);
        const order_id = `of-${String(tickers).split(',')[0]}`;
        return { queue_positions: [{ order_id, queue_position_fp: '12.50' }, { order_id: 'x' }] };
      },
    });
    const tickers = Array.from({ length: 60 }, (_, index) => `T${index}`);
    const positions = await orders.listQueuePositions(tickers);
    expect([...positions]).toEqual([
      ['of-T0', 12_500_000n],
      ['of-T50', 12_500_000n],
    ]);
    expect(asked).toEqual([tickers.slice(0, 50).join(','), tickers.slice(50).join(',')]);
    expect(await orders.listQueuePositions([])).toEqual(new Map());
  });
});

describe('changing an order', () => {
  const request = {
    ticker: 'RAIN',
    shard: 3,
    exchangeOrderId: 'o-1',
    storedAt: SENT_AT,
    mayBeSent: async () => true,
  };
  const amendment = {
    ...request,
    action: 'buy',
    side: 'no',
    limitPriceMicros: 300_000n,
    contractMicros: 7_500_000n,
  } as const;

  it('sends the whole quantity and the price on the Yes book, signed when stored', async () => {
    const { orders, sent } = exchangeWith({});
    expect(await orders.amendOrder(amendment)).toEqual({ kind: 'amended' });
    const body = { ticker: 'RAIN', exchange_index: 3, side: 'ask', count: '7.50', price: '0.7000' };
    const path = '/portfolio/events/orders/o-1/amend';
    expect(sent).toEqual([{ path, body, signedAt: SENT_AT }]);
  });

  it('decreases by an amount', async () => {
    const { orders, sent } = exchangeWith({});
    const outcome = await orders.decreaseOrder({ ...request, byContractMicros: 250_000n });
    expect(outcome).toEqual({ kind: 'amended' });
    const body = { market_ticker: 'RAIN', exchange_index: 3, reduce_by: '0.25' };
    const path = '/portfolio/events/orders/o-1/decrease';
    expect(sent).toEqual([{ path, body, signedAt: SENT_AT }]);
  });

  it('given a change that may no longer be sent, leaves it unsent and unknown', async () => {
    const { orders, sent } = exchangeWith({});
    const mayBeSent = async () => false;
    const unsent = { kind: 'unknown', code: 'not_sent' };
    expect(await orders.amendOrder({ ...amendment, mayBeSent })).toEqual(unsent);
    const decrease = { ...request, byContractMicros: 250_000n, mayBeSent };
    expect(await orders.decreaseOrder(decrease)).toEqual(unsent);
    expect(sent).toEqual([]);
  });
});
