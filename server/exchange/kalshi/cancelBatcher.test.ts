import { describe, expect, it } from 'vitest';
import type { CancelOrderRequest } from '../restingOrders.ts';
import { createCancelBatcher } from './cancelBatcher.ts';
import type { HttpResponseBody, Query } from './httpClient.ts';

const TOGETHER = '/portfolio/events/orders/batched';
const alone = (id: string) => `/portfolio/events/orders/${id}`;

type Deleted = { path: string; ids: string[]; requests: number; query: Query | undefined };

/** A batcher in front of an exchange that responds to each message as given. */
function exchange(responseTo: (path: string, ids: string[]) => HttpResponseBody, most = 100) {
  const deleted: Deleted[] = [];
  const cancel = createCancelBatcher({
    mostTogether: () => most,
    delete: async (path, { body: bodyOf, requests, query }) => {
      const body = await bodyOf();
      if (body === undefined) return { kind: 'unheard', code: 'not_sent' };
      const orders = body !== '' && 'orders' in body ? (body.orders as object[]) : [];
      const ids = orders.map((order) => Reflect.get(order, 'order_id') as string);
      deleted.push({ path, ids, requests, query });
      return responseTo(path, ids);
    },
  });
  const cancelAll = (...requests: CancelOrderRequest[]) => Promise.all(requests.map(cancel));
  return { cancelAll, deleted };
}

function order(
  exchangeOrderId: string,
  change: Partial<CancelOrderRequest> = {},
): CancelOrderRequest {
  const request = { exchangeOrderId, ticker: 'RAIN', shard: 2, mayBeSent: async () => true };
  return { ...request, ...change };
}

function answered(status: number, body: Record<string, unknown>): HttpResponseBody {
  return { kind: 'answered', status, body, isJson: true, date: undefined };
}

const cancelled = (order_id: string, reduced_by = '1.00') => ({ order_id, reduced_by });
const DONE = { kind: 'cancelled', cancelledContractMicros: 1_000_000n };

describe('createCancelBatcher', () => {
  it('given one order, names its market and its shard', async () => {
    const { cancelAll, deleted } = exchange(() => answered(200, cancelled('a')));
    expect(await cancelAll(order('a'))).toEqual([DONE]);
    const query = { market_ticker: 'RAIN', exchange_index: 2 };
    expect(deleted).toEqual([{ path: alone('a'), ids: [], requests: 1, query }]);
  });

  it('sends concurrent cancellations in one message, each with its own outcome', async () => {
    const refused = { order_id: 'b', reduced_by: '0.00', error: { code: 'not_found' } };
    const { cancelAll, deleted } = exchange(() =>
      answered(200, { orders: [cancelled('c'), refused, cancelled('a')] }),
    );
    expect(await cancelAll(order('a'), order('b'), order('c'), order('d'))).toEqual([
      DONE,
      { kind: 'not_resting', code: 'not_found' },
      DONE,
      { kind: 'unknown', code: 'unreadable_answer' },
    ]);
    expect(deleted.map(({ path, ids, requests }) => [path, ids, requests])).toEqual([
      [TOGETHER, ['a', 'b', 'c', 'd'], 4],
    ]);
  });

  it('given more than twenty, or than the rate limit holds, sends several messages', async () => {
    const ids = Array.from({ length: 45 }, (_, index) => `o${index}`);
    const responseTo = (_: string, asked: string[]) =>
      answered(200, { orders: asked.map((id) => cancelled(id)) });
    for (const [most, sizes] of [
      [100, [20, 20, 5]],
      [15, [15, 15, 15]],
    ] as const) {
      const { cancelAll, deleted } = exchange(responseTo, most);
      await cancelAll(...ids.map((id) => order(id)));
      expect(deleted.map((one) => one.ids.length)).toEqual(sizes);
    }
  });

  it('omits cancellations that may no longer be sent', async () => {
    const { cancelAll, deleted } = exchange((_, ids) =>
      answered(200, { orders: ids.map((id) => cancelled(id)) }),
    );
    const refused = order('b', { mayBeSent: async () => false });
    expect(await cancelAll(order('a'), refused, order('c'))).toEqual([
      DONE,
      { kind: 'unknown', code: 'not_sent' },
      DONE,
    ]);
    expect(await cancelAll(refused)).toEqual([{ kind: 'unknown', code: 'not_sent' }]);
    expect(deleted.map(({ ids }) => ids)).toEqual([['a', 'c']]);
  });

  it('given a message that is rejected as a whole, sends them one by one', async () => {
    const { cancelAll, deleted } = exchange((path) =>
      path === TOGETHER ? answered(404, { code: 'not_found' }) : answered(200, cancelled('x')),
    );
    expect(await cancelAll(order('a'), order('b'))).toEqual([DONE, DONE]);
    expect(deleted.map(({ path }) => path)).toEqual([TOGETHER, alone('a'), alone('b')]);
  });

  it('given silence, reports all of a message as unknown', async () => {
    const { cancelAll, deleted } = exchange(() => ({ kind: 'unheard', code: 'timeout' }));
    const unknown = { kind: 'unknown', code: 'timeout' };
    expect(await cancelAll(order('a'), order('b'))).toEqual([unknown, unknown]);
    expect(deleted).toHaveLength(1);
  });

  it('given too many requests, repeats twice and then asks to wait', async () => {
    let rejections = 2;
    const { cancelAll, deleted } = exchange(() => {
      rejections -= 1;
      if (rejections >= 0) return answered(429, { error: 'too many requests' });
      return answered(200, cancelled('a'));
    });
    expect(await cancelAll(order('a'))).toEqual([DONE]);
    rejections = 3;
    expect(await cancelAll(order('a'))).toEqual([{ kind: 'wait', code: 'too_many_requests' }]);
    expect(deleted).toHaveLength(6);
  });
});
