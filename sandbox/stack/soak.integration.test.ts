import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startOrderLoad } from '#sandbox/drills/orderLoad.ts';
import { INSPECTABLE, liveHeapBytes } from '#sandbox/process/liveHeap.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import {
  createTrader,
  findLiquidMarket,
  type Trader,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';
import { SERVERS } from './startStack.ts';

/**
 * Eight hours of a service with an order every two seconds, as fast as this machine carries them:
 * no process keeps growing, in memory or handles, and no table but the books does.
 */

/** `SOAK_HOURS` and `SOAK_ORDERS_PER_HOUR` change them. */
const HOURS = Number(process.env.SOAK_HOURS ?? 8);
const ORDERS_PER_HOUR = Number(process.env.SOAK_ORDERS_PER_HOUR ?? 1_800);
/** Until caches, pools and compiled code have their size. */
const WARM_UP_HOURS = 3;
const PER_SECOND = 25;
const TRADERS = 10;
/** Of tables and of memory, right after a collection. */
const GROWTH_ALLOWED = 1.1;
/** Some 350 bytes an order; without a leak readings differ by 2 %. */
const HEAP_GROWTH_ALLOWED = 1.05;
const MB = 1_048_576;
const HANDLES_ALLOWED = 10;
/** Connections to database, chain and exchange come and go: the fewest open handles count. */
const HANDLE_READINGS = 10;
const READING_MS = 1_000;
const ROWS_ALLOWED = 100;

/** The books, and what docs/SCALING.md gives a time to be kept. */
const GROWS = new Set([
  'api_key_usage',
  'audit_log',
  'block_times',
  'chain_operations',
  'chain_postings',
  'chain_transactions',
  'exchange_attempts',
  'exchange_fills',
  'ledger_entries',
  'market_changes',
  'notification_attempts',
  'notification_deliveries',
  'notification_messages',
  'order_events',
  'orders',
  'price_points',
  'reconciliation_runs',
  'sessions',
  'token_transfers',
  'usdc_transfers',
  'vault_events',
]);

type Figures = Record<string, number>;
type Hour = { heapMb: Figures; memoryMb: Figures; handles: Figures; rows: Figures };

const stack = ownTestStack('soak', {
  servers: SERVERS,
  environment: { RATE_LIMIT_NETWORK_FACTOR: '1000', NODE_OPTIONS: INSPECTABLE },
});

/** Right after a collection: what V8 has not collected yet is no leak. */
async function readProcesses(): Promise<Pick<Hour, 'heapMb' | 'memoryMb' | 'handles'>> {
  const { pids } = stack.description();
  const heapMb: Figures = {};
  const memoryMb: Figures = {};
  const handles: Figures = {};
  for (const name of SERVERS) {
    const [pid = 0] = pids[name];
    heapMb[name] = (await liveHeapBytes(stack.folder.logOf(name))) / MB;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    // Its own memory: the kernel drops and reloads the pages of programs as it likes.
    memoryMb[name] = Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
  }
  for (let reading = 0; reading < HANDLE_READINGS; reading += 1) {
    for (const name of SERVERS) {
      const open = readdirSync(`/proc/${pids[name][0] ?? 0}/fd`).length;
      handles[name] = Math.min(handles[name] ?? open, open);
    }
    await delay(READING_MS);
  }
  return { heapMb, memoryMb, handles };
}

async function countRows(): Promise<Figures> {
  const tables = await stack.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const still = tables.filter(({ name }) => !name.startsWith('price_points_') && !GROWS.has(name));
  const counts = still.map(async ({ name }) => {
    const [row] = await stack.query<{ rows: number }>(`select count(*)::int as rows from ${name}`);
    return [name, row?.rows ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

/** Reads, follows a market and leaves, as a page does. */
async function visit(trader: Trader, ticker: string): Promise<void> {
  const { baseUrl, apiKey } = stack.description();
  const leaving = new AbortController();
  const response = await fetch(
    `${baseUrl}/v1/stream?channels=market,book,trade&tickers=${ticker}`,
    {
      headers: { 'x-api-key': apiKey },
      signal: leaving.signal,
    },
  );
  expect(response.status).toBe(200);
  await Promise.all([trader.api.listMarkets({ limit: 100 }), trader.api.listOrders({ limit: 50 })]);
  leaving.abort();
  await response.body?.cancel().catch(() => undefined);
}

async function liveThroughHour(traders: readonly Trader[], ticker: string): Promise<Hour> {
  const sandbox = stack.description();
  const load = await startOrderLoad({
    sandbox,
    webs: () => [sandbox.baseUrl],
    traders,
    tickers: [ticker],
    perSecond: PER_SECOND,
  });
  const isDone = async () => {
    await Promise.all(traders.map((trader) => visit(trader, ticker)));
    return load.acknowledged.length >= ORDERS_PER_HOUR || undefined;
  };
  expect(await pollUntil(isDone, { timeoutMs: 600_000, everyMs: 500 })).toBe(true);
  await load.stop();
  expect([...load.refused, ...load.retried]).toEqual([]);
  const isEmpty = async () => {
    const open = await stack.query('select from orders where not is_complete limit 1');
    return open.length === 0 || undefined;
  };
  expect(await pollUntil(isEmpty, { timeoutMs: 300_000, everyMs: 500 })).toBe(true);
  return { ...(await readProcesses()), rows: await countRows() };
}

const rounded = (numbers: Figures) =>
  Object.entries(numbers)
    .map(([name, value]) => `${name} ${Math.round(value)}`)
    .join(', ');

test('given hours of orders, neither memory nor handles nor tables keep growing', {
  tags: ['long'],
  timeout: 3_600_000,
}, async () => {
  const traders: Trader[] = [];
  while (traders.length < TRADERS) {
    traders.push(await createTrader(stack.description(), WIDE_LIMITS));
  }
  const [first] = traders;
  const ticker = first ? await findLiquidMarket(first) : '';
  const hours: Hour[] = [];
  while (hours.length < HOURS) {
    const hour = await liveThroughHour(traders, ticker);
    hours.push(hour);
    process.stdout.write(
      `hour ${hours.length}: heap MB ${rounded(hour.heapMb)}; memory MB ${rounded(hour.memoryMb)}; handles ${rounded(hour.handles)}\n`,
    );
  }
  const warm = hours[Math.min(WARM_UP_HOURS, HOURS) - 1];
  const last = hours.at(-1);
  for (const name of SERVERS) {
    const growth = (figure: 'heapMb' | 'memoryMb') =>
      (last?.[figure][name] ?? Number.POSITIVE_INFINITY) / (warm?.[figure][name] ?? 1);
    expect(growth('heapMb'), `heap of ${name}`).toBeLessThan(HEAP_GROWTH_ALLOWED);
    expect(growth('memoryMb'), `memory of ${name}`).toBeLessThan(GROWTH_ALLOWED);
    const log = readFileSync(stack.folder.logOf(name), 'utf8');
    expect(log, `listeners of ${name}`).not.toContain('MaxListenersExceededWarning');
    const [had = 0, has = 0] = [warm?.handles[name], last?.handles[name]];
    expect(has, `handles of ${name}`).toBeLessThan(had + HANDLES_ALLOWED);
  }
  const grown = Object.entries(last?.rows ?? {}).filter(
    ([name, rows]) => rows > (warm?.rows[name] ?? 0) * GROWTH_ALLOWED + ROWS_ALLOWED,
  );
  expect(grown, 'tables that grew').toEqual([]);
});
