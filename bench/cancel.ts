import { pollUntil } from '#sandbox/process/poll.ts';
import { createTrader, limitBody, type Trader, WIDE_LIMITS } from '#sandbox/testing/trader.ts';
import { isQuick } from './harness/options.ts';
import { type Service, withService } from './harness/service.ts';
import { percentile, report } from './report.ts';

/**
 * The whole way of a cancellation, one after the other: from before its request is sent until the
 * end of the order at the exchange is recorded, and until its funds have been returned on chain.
 */
const ORDERS = isQuick ? 20 : 200;
const TRADERS = 5;
/** Of orders that are placed beforehand. */
const AT_ONCE = 8;

type Resting = { trader: Trader; id: string };

await withService(async (service) => {
  const orders = await restOrders(service);
  const sentAt = new Map<string, number>();
  const respondedMs: number[] = [];
  for (const { trader, id } of orders) {
    const begunAt = Date.now();
    sentAt.set(id, begunAt);
    await trader.api.cancelOrder(id);
    respondedMs.push(Date.now() - begunAt);
    await untilRecorded(service, [id], 'returning');
  }
  const ids = orders.map(({ id }) => id);
  const since = (times: Map<string, number>) =>
    ids.map((id) => (times.get(id) ?? Number.NaN) - (sentAt.get(id) ?? Number.NaN));
  const endedMs = since(await untilRecorded(service, ids, 'returning'));
  const returnedMs = since(await untilRecorded(service, ids, 'failed'));
  report(`Cancelling ${ORDERS} resting orders`, [
    { name: 'to the response, 99th percentile', ours: percentile(respondedMs, 0.99), unit: 'ms' },
    { name: 'ended at the exchange, median', ours: percentile(endedMs, 0.5), unit: 'ms' },
    {
      name: 'ended at the exchange, 99th percentile',
      ours: percentile(endedMs, 0.99),
      unit: 'ms',
      atMost: 1_000,
    },
    { name: 'funds returned, median', ours: percentile(returnedMs, 0.5), unit: 'ms' },
  ]);
});

async function restOrders(service: Service): Promise<Resting[]> {
  const sandbox = service.description();
  const traders: Trader[] = [];
  for (let n = 0; n < TRADERS; n += 1) traders.push(await createTrader(sandbox, WIDE_LIMITS));
  const { markets } = (await traders[0]?.api.listMarkets({ limit: 200, status: 'open' })) ?? {
    markets: [],
  };
  const market = markets.find((one) => one.yesBid > 10 && one.yesAsk < 90);
  if (!market) throw new Error('the sandbox has no open market with a two-sided book');
  const { ticker } = market;
  const orders: Resting[] = [];
  const place = async () => {
    while (orders.length < ORDERS) {
      const trader = traders[orders.length % TRADERS];
      if (!trader) return;
      // Far below the book: only a cancellation ends it.
      const terms = { direction: 'BUY', ticker, contracts: '1', price: '0.02' } as const;
      const order: Resting = { trader, id: '' };
      orders.push(order);
      order.id = (await trader.api.createOrder(limitBody(sandbox, trader, terms))).intent.id;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, place));
  const ids = orders.map(({ id }) => id);
  await untilRecorded(service, ids, 'resting');
  return orders;
}

/** When each order's log got an entry of this type, in milliseconds. */
async function untilRecorded(
  { database }: Service,
  ids: readonly string[],
  type: string,
): Promise<Map<string, number>> {
  const read = async () => {
    const { rows } = await database.pool.query<{ id: string; at: Date }>(
      `select order_id as id, min(at) as at from order_events
       where order_id = any($1::uuid[]) and type = $2 group by order_id`,
      [ids, type],
    );
    return rows.length === ids.length
      ? new Map(rows.map(({ id, at }) => [id, at.getTime()]))
      : undefined;
  };
  const found = await pollUntil(read, { timeoutMs: 120_000, everyMs: 10 });
  if (!found) throw new Error(`not every order got to ${type}`);
  return found;
}
