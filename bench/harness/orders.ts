import { randomUUID } from 'node:crypto';
import { createClient } from '#lib/api/client.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import {
  createTrader,
  fetchToken,
  orderBody,
  type Trader,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';
import { percentile } from '../report.ts';
import { openLoad, type Request } from './load.ts';
import type { Service } from './service.ts';

/** The number of orders in flight, also against the exchange alone. */
export const AT_ONCE = 32;

/** The market with the deepest offers. */
export async function findMarket([sender]: Sender[]): Promise<string> {
  const { markets } = (await sender?.trader.api.listMarkets({ limit: 200, status: 'open' })) ?? {
    markets: [],
  };
  const [best] = markets
    .filter((one) => one.yesAsk < 90 && one.yesBid > 10)
    .toSorted((a, b) => b.liquidity - a.liquidity);
  if (!best) throw new Error('the sandbox has no open market with a two-sided book');
  return best.ticker;
}

/** A trader, and the token of their session. */
export type Sender = { trader: Trader; token: string };

/** Traders with wide permissions, one after the other. */
export async function createSenders(service: Service, count: number): Promise<Sender[]> {
  const senders: Sender[] = [];
  while (senders.length < count) {
    const trader = await createTrader(service.description(), WIDE_LIMITS);
    senders.push({ trader, token: await fetchToken(createClient(service), trader.wallet) });
  }
  return senders;
}

function orderOf(service: Service, sender: Sender | undefined, ticker: string): Request {
  if (!sender) throw new Error('no sender for an order');
  const order = {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts: '0.1',
    quoteLimit: '0.099',
    clientId: randomUUID(),
  } as const;
  return {
    method: 'POST',
    path: '/v1/order',
    headers: { 'x-api-key': service.apiKey, authorization: `Bearer ${sender.token}` },
    body: JSON.stringify(orderBody(service.description(), sender.trader, order)),
  };
}

export type OrderRun = {
  begunAt: Date;
  tookMs: number;
  completed: number;
  /** From an order's acceptance to its end, in the median. */
  p50Ms: number;
  /** When each order ended, in seconds since the first was sent, in order. */
  endedAfter: number[];
};

/** Sends small purchases of a market and waits until all have ended. */
export async function runOrders(
  service: Service,
  run: { senders: Sender[]; ticker: string; orders: number },
): Promise<OrderRun> {
  const { senders, ticker } = run;
  const orders = Array.from({ length: run.orders }, (_, index) =>
    orderOf(service, senders[index % senders.length], ticker),
  );
  // The sender must use little of the machine: its cost belongs to the users.
  const load = await openLoad({
    baseUrl: service.baseUrl,
    serverPid: service.webPid,
    connections: AT_ONCE,
    requestsOf: (connection) => orders.filter((_, index) => index % AT_ONCE === connection),
  });
  const begunAt = new Date();
  const begun = performance.now();
  await load.runOnce();
  const state = async () => {
    const { rows } = await service.database.pool.query<{
      completed: number;
      took: number[] | null;
      ended: number[] | null;
    }>(
      `select count(*) filter (where status = 'completed')::int as completed,
         array_agg(extract(epoch from completed_at - created_at)::float8 * 1000) as took,
         array_agg(extract(epoch from completed_at - $1)::float8 order by completed_at) as ended
       from orders where created_at >= $1 and completed_at is not null`,
      [begunAt],
    );
    return rows[0];
  };
  const isOver = async () => {
    const { rowCount } = await service.database.pool.query(
      'select from orders where not is_complete and created_at >= $1 limit 1',
      [begunAt],
    );
    return rowCount === 0 || undefined;
  };
  const done = await pollUntil(isOver, {
    timeoutMs: 300_000,
    everyMs: 100,
  });
  const tookMs = performance.now() - begun;
  await load.stop();
  if (!done) throw new Error('the orders were not over in five minutes');
  const end = await state();
  return {
    begunAt,
    tookMs,
    completed: end?.completed ?? 0,
    p50Ms: percentile(end?.took ?? [], 0.5),
    endedAfter: end?.ended ?? [],
  };
}
