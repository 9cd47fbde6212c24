import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, startSibling } from '#sandbox/process/siblings.ts';
import { shardOf } from '#sandbox/testing/shards.ts';
import { readConfig } from '#server/platform/config/config.ts';
import { closeRuntime, openRuntime } from '#server/runtime.ts';
import { isQuick } from './harness/options.ts';
import { AT_ONCE, createSenders, findMarket, type OrderRun, runOrders } from './harness/orders.ts';
import { apart, cpuMs, familyCpuMs } from './harness/process.ts';
import { type Service, withService } from './harness/service.ts';
import { report } from './report.ts';

/**
 * Many orders at once through the whole pipeline, three times: two processors, the sandbox's exchange
 * and chain. In the first run all processes are new, and so are the accounts, whose permissions are
 * recorded with their first orders. In the second the service and its database have half of the cores
 * to themselves, and exchange, chain and client the others. The third, on all cores, is what is
 * compared. Afterwards the exchange alone is sent as many orders, and the chain alone is sent the
 * very transactions of the third run again, from the state before it: they are warm by then, too.
 */
const ORDERS = isQuick ? 100 : 1_000;
const TRADERS = isQuick ? 5 : 20;

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
    const senders = await createSenders(service, TRADERS);
    const ticker = await findMarket(senders);
    const { exchange: exchangePids, chain: chainPids, database: databasePids } = sandbox.pids;
    const used = () => ({
      ours: sum(ours.map(cpuMs)),
      exchange: sum(exchangePids.map(cpuMs)),
      // The chain is reached through this process.
      chain: sum(chainPids.map(familyCpuMs)) + cpuMs(process.pid),
      database: sum(databasePids.map(familyCpuMs)),
    });
    const runAll = async () => {
      const before = used();
      const run = await runOrders(service, { senders, ticker, orders: ORDERS });
      const after = used();
      return { ...run, cpuOf: (who: keyof typeof after) => (after[who] - before[who]) / ORDERS };
    };
    const cold = await runAll();
    const alone = await apart(
      [...ours, ...databasePids],
      [process.pid, ...exchangePids, ...chainPids],
      runAll,
    );
    const snapshot = await rpc<string>(sandbox.rpcUrl, 'evm_snapshot');
    const run = await runAll();
    const exchange = await exchangeAlone(first, ticker);
    await second.stop();
    const chain = await chainAlone(service, snapshot, run.begunAt);
    report(`${ORDERS} orders at once, two processors (baseline: the lower of the two ceilings)`, [
      {
        name: 'orders a second',
        ours: rateOf(run),
        baseline: Math.min(exchange, chain),
        unit: '/s',
        atLeast: 0.4,
      },
      { name: 'in the first run', ours: rateOf(cold), unit: '/s' },
      { name: 'service and database on half of the cores', ours: rateOf(alone), unit: '/s' },
      {
        name: 'their processor time there',
        ours: (alone.cpuOf('ours') + alone.cpuOf('database')) * (rateOf(alone) / 1_000),
        unit: 'cores',
      },
      { name: 'the exchange alone', ours: exchange, unit: 'orders/s' },
      { name: 'the chain alone', ours: chain, unit: 'orders/s' },
      { name: 'completed', ours: run.completed / ORDERS, unit: '', atLeast: 0.95 },
      { name: 'half were over after', ours: run.p50Ms / 1_000, unit: 's' },
      { name: 'our processor time of an order', ours: run.cpuOf('ours'), unit: 'ms' },
      { name: 'the database’s', ours: run.cpuOf('database'), unit: 'ms' },
      { name: 'the exchange’s', ours: run.cpuOf('exchange'), unit: 'ms' },
      { name: 'the chain’s', ours: run.cpuOf('chain'), unit: 'ms' },
    ]);
  } finally {
    await second.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

function rateOf({ tookMs }: OrderRun): number {
  return (ORDERS * 1_000) / tookMs;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
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
