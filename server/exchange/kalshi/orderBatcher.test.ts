import { describe, expect, it } from 'vitest';
import type { PlaceOrderOutcome, PlaceOrderRequest } from '../port.ts';
import type { HttpResponseBody } from './httpClient.ts';
import { createOrderBatcher } from './orderBatcher.ts';

const ALONE = '/portfolio/events/orders';
const TOGETHER = `${ALONE}/batched`;

type Posted = { path: string; ids: string[]; requests: number; signedAt: Date | undefined };

/** A batcher in front of an exchange that responds to each message as given. */
function adminConsole(responseTo: (path: string, ids: string[]) => HttpResponseBody, most = 100) {
  const posted: Posted[] = [];
  const place = createOrderBatcher({
    mostTogether: () => most,
    post: async (path, { body: bodyOf, requests, signedAt }) => {
      const body = await bodyOf();
      if (!body) return { kind: 'unheard', code: 'not_sent' };
      const orders = 'orders' in body ? (body.orders as object[]) : [body];
      const ids = orders.map((order) => Reflect.get(order, 'client_order_id') as string);
      posted.push({ path, ids, requests, signedAt });
      return responseTo(path, ids);
    },
  });
  const placeOrders = (...orders: PlaceOrderRequest[]): Promise<PlaceOrderOutcome[]> =>
    Promise.all(orders.map(place));
  const placeAll = (...ids: string[]) => placeOrders(...ids.map((id) => order(id)));
  return { placeAll, placeOrders, posted };
}

const STORED_AT = new Date('2026-11-23T10:00:00Z');

function order(clientOrderId: string, change: Partial<PlaceOrderRequest> = {}): PlaceOrderRequest {
  return {
    clientOrderId,
    ticker: 'RAIN',
    shard: 2,
    action: 'buy',
    side: 'yes',
    contractMicros: 1_000_000n,
    limitPriceMicros: 500_000n,
    storedAt: STORED_AT,
    mayBeSent: async () => true,
    ...change,
  };
}

/** The body of a single order, as sent. */
async function bodyOf(change: Partial<PlaceOrderRequest>): Promise<string> {
  const sent: string[] = [];
  const place = createOrderBatcher({
    mostTogether: () => 1,
    post: async (_, { body }) => {
      sent.push(JSON.stringify(await body()));
      return { kind: 'unheard', code: 'timeout' };
    },
  });
  await place(order('a', change));
  return sent[0] ?? '';
}

function answered(status: number, body: Record<string, unknown>): HttpResponseBody {
  return { kind: 'answered', status, body, isJson: true, date: undefined };
}

const placed = (id: string) => ({
  order_id: `order-${id}`,
  client_order_id: id,
  fill_count: '1.00',
  remaining_count: '0.00',
});

const kindsOf = (outcomes: PlaceOrderOutcome[]) => outcomes.map(({ kind }) => kind);

describe('createOrderBatcher', () => {
  it('sends a single order unbatched', async () => {
    const { placeAll, posted } = adminConsole((_, [id = '']) => answered(201, placed(id)));
    expect(kindsOf(await placeAll('a'))).toEqual(['done']);
    expect(kindsOf(await placeAll('b'))).toEqual(['done']);
    expect(posted.map(({ path }) => path)).toEqual([ALONE, ALONE]);
  });

  it('sends concurrent orders in one message, and returns each its own outcome', async () => {
    const { placeAll, posted } = adminConsole((_, ids) =>
      answered(201, { orders: ids.map(placed).toReversed() }),
    );
    const outcomes = await placeAll('a', 'b', 'c');
    expect(outcomes).toEqual(
      ['a', 'b', 'c'].map((id) => ({
        kind: 'done',
        exchangeOrderId: `order-${id}`,
        filledContractMicros: 1_000_000n,
      })),
    );
    expect(posted).toEqual([
      { path: TOGETHER, ids: ['a', 'b', 'c'], requests: 3, signedAt: STORED_AT },
    ]);
  });

  it('batches no more orders than the rate limit holds', async () => {
    const { placeAll, posted } = adminConsole(
      (_, ids) => answered(201, { orders: ids.map(placed) }),
      2,
    );
    expect(kindsOf(await placeAll('a', 'b', 'c', 'd'))).toEqual(Array(4).fill('done'));
    expect(posted.map(({ ids }) => ids)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('distinguishes rejections within a message, by position when they name no order', async () => {
    const { placeAll } = adminConsole((_, [, , last = '']) =>
      answered(201, {
        orders: [
          { error: { code: 'insufficient_balance', message: 'm' } },
          { error: { code: 'something_new', message: 'm' } },
          placed(last),
        ],
      }),
    );
    expect(kindsOf(await placeAll('a', 'b', 'c'))).toEqual(['our_fault', 'unknown', 'done']);
  });

  it('given a response that omits or confuses orders, reports them as unknown', async () => {
    const { placeAll } = adminConsole((_, [first = '']) =>
      answered(201, { orders: [placed(first), placed('of-somebody-else')] }),
    );
    expect(kindsOf(await placeAll('a', 'b', 'c'))).toEqual(['done', 'unknown', 'unknown']);
  });

  it.each([
    ['silence', { kind: 'unheard', code: 'timeout' } as const, 'unknown'],
    ['a failure', answered(500, {}), 'unknown'],
    ['an answer without orders', answered(201, {}), 'unknown'],
    ['a pause', answered(409, { error: { code: 'trading_is_paused' } }), 'wait'],
    ['too many requests', answered(429, { error: 'too many requests' }), 'wait'],
  ])('takes %s for what became of every order', async (_, response, kind) => {
    const { placeAll, posted } = adminConsole(() => response);
    expect(kindsOf(await placeAll('a', 'b'))).toEqual([kind, kind]);
    expect(posted).toHaveLength(1);
  });

  it('signs a message with the time of its oldest order, and a repeat with its own', async () => {
    const { placeOrders, posted } = adminConsole((path, ids) =>
      path === TOGETHER
        ? answered(400, { error: { code: 'invalid_parameters' } })
        : answered(201, placed(ids[0] ?? '')),
    );
    const older = new Date(STORED_AT.getTime() - 5_000);
    await placeOrders(order('a'), order('b', { storedAt: older }));
    expect(posted.map(({ ids, signedAt }) => [ids, signedAt])).toEqual([
      [['a', 'b'], older],
      [['a'], STORED_AT],
      [['b'], older],
    ]);
  });

  it('omits orders that may no longer be sent when the message leaves', async () => {
    const { placeOrders, posted } = adminConsole((_, ids) =>
      answered(201, { orders: ids.map(placed) }),
    );
    const refused = order('b', { mayBeSent: async () => false });
    const outcomes = await placeOrders(order('a'), refused, order('c'));
    expect(outcomes).toMatchObject([
      { kind: 'done', exchangeOrderId: 'order-a' },
      { kind: 'unknown', code: 'not_sent' },
      { kind: 'done', exchangeOrderId: 'order-c' },
    ]);
    expect(posted.map(({ ids }) => ids)).toEqual([['a', 'c']]);
    expect(await placeOrders(refused)).toEqual([{ kind: 'unknown', code: 'not_sent' }]);
    expect(await placeOrders(refused, { ...refused, clientOrderId: 'd' })).toEqual([
      { kind: 'unknown', code: 'not_sent' },
      { kind: 'unknown', code: 'not_sent' },
    ]);
    expect(posted).toHaveLength(1);
  });

  it('sends orders individually when the exchange rejects the message', async () => {
    const { placeAll, posted } = adminConsole((path, [id = '']) => {
      if (path === TOGETHER) return answered(400, { error: { code: 'invalid_parameters' } });
      return id === 'b'
        ? answered(400, { error: { code: 'invalid_price' } })
        : answered(201, placed(id));
    });
    expect(kindsOf(await placeAll('a', 'b', 'c'))).toEqual(['done', 'no_fill', 'done']);
    expect(posted.map(({ path }) => path)).toEqual([TOGETHER, ALONE, ALONE, ALONE]);
  });

  it('writes a market order as an immediate-or-cancel limit', async () => {
    expect(await bodyOf({})).toBe(
      '{"ticker":"RAIN","exchange_index":2,"client_order_id":"a","side":"bid","count":"1.00",' +
        '"price":"0.5000","time_in_force":"immediate_or_cancel",' +
        '"self_trade_prevention_type":"taker_at_cross"}',
    );
  });

  it('writes how long an order may wait, until when, and that it must not take', async () => {
    const resting = await bodyOf({
      side: 'no',
      limitPriceMicros: 410_000n,
      timeInForce: 'resting',
      restsUntil: new Date('2026-11-23T11:00:00.900Z'),
      isPostOnly: true,
    });
    expect(JSON.parse(resting)).toMatchObject({
      side: 'ask',
      price: '0.5900',
      time_in_force: 'good_till_canceled',
      self_trade_prevention_type: 'taker_at_cross',
      expiration_time: Date.UTC(2026, 10, 23, 11) / 1000,
      post_only: true,
    });
    expect(JSON.parse(await bodyOf({ timeInForce: 'fill_or_kill' }))).toMatchObject({
      time_in_force: 'fill_or_kill',
    });
  });
});
