import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '#lib/api/client.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { environmentOf, startSibling } from '#sandbox/process/siblings.ts';
import { shardOf } from '#sandbox/testing/shards.ts';
import {
  createTrader,
  fetchToken,
  orderBody,
  type Trader,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';
import { readConfig } from '#server/platform/config/config.ts';
import { closeRuntime, openRuntime } from '#server/runtime.ts';
import { openLoad, type Request } from './harness/load.ts';
import { isQuick } from './harness/options.ts';
import { cpuMs, familyCpuMs } from './harness/process.ts';
import { type Service, withService } from './harness/service.ts';
import { percentile, report } from './report.ts';

/**
 * Many orders at once through the whole pipeline, twice: two processors, the sandbox's exchange and
 * chain. In the first run all processes are new, and so are the accounts, whose permissions are
 * recorded with their first orders; the second is what is compared. Afterwards the exchange alone is
 * sent as many orders, and the chain alone is sent the very transactions of the second run again,
 * from the state before it: they are warm by then, too.
 */
const ORDERS = isQuick ? 100 : 1_000;
const TRADERS = isQuick ? 5 : 20;
/** The number of orders in flight, also against the exchange alone. */
const AT_ONCE = 32;

await withService(async (service) => {
  const folder = mkdtempSync(join(tmpdir(), 'crossbook-bench-second-'));
  const [first] = service.description().pids.processor;
  if (first === undefined) throw new Error('there is no processor');
  const second = await startSibling(first, {
    entry: 'server/processor/main.ts',
    logFile: join(folder, 'second-processor.log'),
  });
  const ours = [service.webPid, first, ...second.pids];
  try {
    const sandbox = service.description();
    const senders: Sender[] = [];
    for (let index = 0; index < TRADERS; index += 1) senders.push(await createSender(service));
    const ticker = await findMarket(senders);
    const cold = await runOrders(service, senders, ticker);
    const snapshot = await rpc<string>(sandbox.rpcUrl, 'evm_snapshot');
    const { exchange: exchangePids, chain: chainPids, database: databasePids } = sandbox.pids;
    const used = () => ({
      ours: sum(ours.map(cpuMs)),
      exchange: sum(exchangePids.map(cpuMs)),
      chain: sum(chainPids.map(familyCpuMs)),
      database: sum(databasePids.map(familyCpuMs)),
    });
    const before = used();
    const run = await runOrders(service, senders, ticker);
    const after = used();
    const cpuOf = (who: keyof typeof after) => (after[who] - before[who]) / ORDERS;
    const exchange = await exchangeAlone(first, ticker);
    await second.stop();
    const chain = await chainAlone(service, snapshot, run.begunAt);
    const perSecond = (ORDERS * 1_000) / run.tookMs;
    report(`${ORDERS} orders at once, two processors (baseline: the lower of the two ceilings)`, [
      {
        name: 'orders a second',
        ours: perSecond,
        baseline: Math.min(exchange, chain),
        unit: '/s',
        atLeast: 0.4,
      },
      { name: 'in the first run', ours: (ORDERS * 1_000) / cold.tookMs, unit: '/s' },
      { name: 'the exchange alone', ours: exchange, unit: 'orders/s' },
      { name: 'the chain alone', ours: chain, unit: 'orders/s' },
      { name: 'completed', ours: run.completed / ORDERS, unit: '', atLeast: 0.95 },
      { name: 'half were over after', ours: run.p50Ms / 1_000, unit: 's' },
      { name: 'our processor time of an order', ours: cpuOf('ours'), unit: 'ms' },
      { name: 'the database’s', ours: cpuOf('database'), unit: 'ms' },
      { name: 'the exchange’s', ours: cpuOf('exchange'), unit: 'ms' },
      { name: 'the chain’s', ours: cpuOf('chain'), unit: 'ms' },
    ]);
  } finally {
    await second.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** The market with the deepest offers. */
async function findMarket([sender]: Sender[]): Promise<string> {
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
type Sender = { trader: Trader; token: string };

async function createSender(service: Service): Promise<Sender> {
  const trader = await createTrader(service.description(), WIDE_LIMITS);
  return { trader, token: await fetchToken(createClient(service), trader.wallet) };
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

async function runOrders(service: Service, senders: Sender[], ticker: string) {
  const orders = Array.from({ length: ORDERS }, (_, index) =>
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
    }>(
      `select count(*) filter (where status = 'completed')::int as completed,
         array_agg(extract(epoch from completed_at - created_at)::float8 * 1000)
           filter (where completed_at is not null) as took
       from orders where created_at >= $1`,
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
  };
}

/** Orders per second of the exchange without the service in between. */
async function exchangeAlone(processor: number, ticker: string): Promise<number> {
  const config = readConfig(environmentOf(processor), 'processor');
  const runtime = await openRuntime({ ...config, logLevel: 'silent' }, 'tool');
  try {
    const { exchange } = runtime;
    const orders = Array.from({ length: ORDERS }, () => randomUUID());
    const shard = await shardOf(exchange, ticker);
    const begun = performance.now();
    await inTurns(orders, AT_ONCE, async (clientOrderId) => {
      const sentAt = new Date();
      const outcome = await exchange.placeOrder({
        clientOrderId,
        ticker,
        shard,
        action: 'buy',
        side: 'yes',
        contractMicros: 100_000n,
        limitPriceMicros: 990_000n,
        storedAt: new Date(),
        mayBeSent: async () => true,
      });
      if (outcome.kind !== 'done') return;
      await exchange.listFills({
        ticker,
        exchangeOrderId: outcome.exchangeOrderId,
        side: 'yes',
        sentAt,
      });
    });
    return (ORDERS * 1_000) / (performance.now() - begun);
  } finally {
    await closeRuntime(runtime);
  }
}

/** Orders per second of the chain when it receives all transactions of the run again. */
async function chainAlone(service: Service, snapshot: string, since: Date): Promise<number> {
  const { rpcUrl, pids } = service.description();
  const { rows } = await service.database.pool.query<{ raw: string; signer: string }>(
    `select raw, signer from chain_transactions where signed_at >= $1 and state = 'confirmed'
     order by confirmed_at`,
    [since],
  );
  for (const pid of pids.processor) process.kill(pid, 'SIGSTOP');
  try {
    await rpc(rpcUrl, 'evm_revert', [snapshot]);
    const begun = performance.now();
    for (const { raw } of rows) await rpc(rpcUrl, 'eth_sendRawTransaction', [raw]);
    return (ORDERS * 1_000) / (performance.now() - begun);
  } finally {
    for (const pid of pids.processor) process.kill(pid, 'SIGCONT');
  }
}

async function rpc<Result>(url: string, method: string, params: unknown[] = []): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const reply = (await response.json()) as { result: Result; error?: { message: string } };
  if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
  return reply.result;
}

async function inTurns<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
    }),
  );
}
