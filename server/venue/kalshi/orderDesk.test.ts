import { describe, expect, it } from 'vitest';
import type { PlaceOrderOutcome, PlaceOrderRequest } from '../port.ts';
import type { HttpAnswer } from './httpClient.ts';
import { createOrderDesk } from './orderDesk.ts';

const ALONE = '/portfolio/events/orders';
const TOGETHER = `${ALONE}/batched`;

type Posted = { path: string; ids: string[]; requests: number | undefined };

/** A desk before an exchange that answers each message as it is told to. */
function desk(answerTo: (path: string, ids: string[]) => HttpAnswer, most = 100) {
  const posted: Posted[] = [];
  const place = createOrderDesk({
    mostPosted: () => most,
    post: async (path, body, requests) => {
      const orders = 'orders' in body ? (body.orders as object[]) : [body];
      const ids = orders.map((order) => Reflect.get(order, 'client_order_id') as string);
      posted.push({ path, ids, requests });
      return answerTo(path, ids);
    },
  });
  const placeAll = (...ids: string[]): Promise<PlaceOrderOutcome[]> =>
    Promise.all(ids.map((clientOrderId) => place(order(clientOrderId))));
  return { placeAll, posted };
}

function order(clientOrderId: string): PlaceOrderRequest {
  return {
    clientOrderId,
    ticker: 'RAIN',
    action: 'buy',
    side: 'yes',
    contractMicros: 1_000_000n,
    limitPriceMicros: 500_000n,
  };
}

function answered(status: number, body: Record<string, unknown>): HttpAnswer {
  return { kind: 'answered', status, body, isJson: true, date: undefined };
}

const placed = (id: string) => ({
  order_id: `order-${id}`,
  client_order_id: id,
  fill_count: '1.00',
  remaining_count: '0.00',
});

const kindsOf = (outcomes: PlaceOrderOutcome[]) => outcomes.map(({ kind }) => kind);

describe('createOrderDesk', () => {
  it('sends an order that comes alone as it is', async () => {
    const { placeAll, posted } = desk((_, [id = '']) => answered(201, placed(id)));
    expect(kindsOf(await placeAll('a'))).toEqual(['done']);
    expect(kindsOf(await placeAll('b'))).toEqual(['done']);
    expect(posted.map(({ path }) => path)).toEqual([ALONE, ALONE]);
  });

  it('sends those that come together in one message, and tells each its own answer', async () => {
    const { placeAll, posted } = desk((_, ids) =>
      answered(201, { orders: ids.map(placed).toReversed() }),
    );
    const outcomes = await placeAll('a', 'b', 'c');
    expect(outcomes).toEqual(
      ['a', 'b', 'c'].map((id) => ({
        kind: 'done',
        venueOrderId: `order-${id}`,
        filledContractMicros: 1_000_000n,
      })),
    );
    expect(posted).toEqual([{ path: TOGETHER, ids: ['a', 'b', 'c'], requests: 3 }]);
  });

  it('sends no more together than the allowance holds', async () => {
    const { placeAll, posted } = desk((_, ids) => answered(201, { orders: ids.map(placed) }), 2);
    expect(kindsOf(await placeAll('a', 'b', 'c', 'd'))).toEqual(Array(4).fill('done'));
    expect(posted.map(({ ids }) => ids)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('tells refusals within a message apart, by place where they name no order', async () => {
    const { placeAll } = desk((_, [, , last = '']) =>
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

  it('does not know of orders that an answer leaves out, or takes for others', async () => {
    const { placeAll } = desk((_, [first = '']) =>
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
  ])('takes %s for what became of every order', async (_, answer, kind) => {
    const { placeAll, posted } = desk(() => answer);
    expect(kindsOf(await placeAll('a', 'b'))).toEqual([kind, kind]);
    expect(posted).toHaveLength(1);
  });

  it('sends orders alone when the exchange refuses the message', async () => {
    const { placeAll, posted } = desk((path, [id = '']) => {
      if (path === TOGETHER) return answered(400, { error: { code: 'invalid_parameters' } });
      return id === 'b'
        ? answered(400, { error: { code: 'invalid_price' } })
        : answered(201, placed(id));
    });
    expect(kindsOf(await placeAll('a', 'b', 'c'))).toEqual(['done', 'no_fill', 'done']);
    expect(posted.map(({ path }) => path)).toEqual([TOGETHER, ALONE, ALONE, ALONE]);
  });
});
