import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDatabase } from '#sandbox/database/startDatabase.ts';
import { storeMarkets } from '#sandbox/testing/storedMarkets.ts';
import { storedOrderId, storeOrders } from '#sandbox/testing/storedOrders.ts';
import { closeDatabase, type Database, openDatabase } from '#server/db/client.ts';
import { migrateDatabase } from '#server/db/migrate.ts';
import { findMarket, listMarkets } from '#server/markets/catalogue.ts';
import { listCompletedTrades } from '#server/orders/completedTrades.ts';
import { listSequences } from '#server/orders/eventFeed.ts';
import { getOrder, listOrders } from '#server/orders/readOrders.ts';
import { isQuick, sizesOr } from './harness/options.ts';
import { percentile, report } from './report.ts';

/**
 * How the cost of what users wait for grows with what is stored: `node bench/growth.ts [orders…]`.
 * Each size is compared with the smallest; a cost that grew like the stored rows would show their
 * ratio. Markets grow along, a tenth of the orders up to a million.
 */
const SIZES = sizesOr([1_000, 10_000, 100_000, 1_000_000, 10_000_000], [1_000, 10_000, 100_000]);
const SAMPLES = isQuick ? 60 : 200;
const ROWS_A_STATEMENT = 100_000;
/** What costs n log n would grow by more between the sizes; a lookup in a tree stays far below. */
const MOST_GROWTH = 4;

/** Orders stored while measuring. */
let extra = 0;

const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-bench-'));
const server = await startDatabase({ dataDir });
const database = openDatabase({ url: server.url, applicationName: 'bench', maxConnections: 2 });
try {
  await migrateDatabase(server.url);
  const costs: { size: number; markets: number; medians: Record<string, number> }[] = [];
  let stored = 0;
  let markets = 0;
  for (const size of SIZES.toSorted((a, b) => a - b)) {
    while (stored < size) {
      const to = Math.min(stored + ROWS_A_STATEMENT, size);
      const range = { from: stored + 1, to, accounts: Math.max(100, size / 100) };
      await storeOrders(database, { ...range, apiKeyId: 'key_grown' });
      stored = to;
    }
    const wanted = Math.min(Math.max(1_000, size / 10), 1_000_000);
    while (markets < wanted) {
      const to = Math.min(markets + ROWS_A_STATEMENT, wanted);
      await storeMarkets(database, markets + 1, to);
      markets = to;
    }
    await database.pool.query('analyze orders, order_events, markets');
    costs.push({ size, markets, medians: await measure(database, size, markets) });
  }
  const [smallest] = costs;
  for (const { size, markets: count, medians } of costs.slice(1)) {
    report(
      `With ${size.toLocaleString('en-US')} orders and ${count.toLocaleString('en-US')} markets stored (baseline: ${smallest?.size.toLocaleString('en-US')} orders)`,
      Object.entries(medians).map(([name, ours]) => ({
        name,
        ours,
        baseline: smallest?.medians[name] ?? Number.NaN,
        unit: 'ms',
        atMost: MOST_GROWTH,
      })),
    );
  }
} finally {
  await closeDatabase(database);
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(
  db: Database,
  orders: number,
  markets: number,
): Promise<Record<string, number>> {
  const deps = { database: db };
  const viewer = { apiKeyId: 'key_grown', apiKeyKind: 'secret' } as const;
  const some = (index: number, of: number) => 1 + ((index * 7_919) % of);
  const asked: Record<string, (index: number) => Promise<unknown>> = {
    'an order by its id': (index) =>
      getOrder(deps, { viewer, id: storedOrderId(some(index, orders)) }),
    'the newest orders of a key': () => listOrders(deps, { viewer, limit: 50, type: 'all' }),
    'what an account traded': (index) =>
      listCompletedTrades(db.orm, `0x${some(index, 90).toString(16).padStart(40, 'a')}`),
    'the end of the log': () => listSequences(deps, BigInt(orders * 4 - 50), 500),
    'storing one order': () => storeOne(db, orders),
    'a market': (index) => findMarket(deps, `BENCH-${some(index, markets)}`),
    'a page of open markets': () => listMarkets(deps, { limit: 50, status: 'open' }),
  };
  const medians: Record<string, number> = {};
  for (const [name, ask] of Object.entries(asked)) {
    for (let index = 0; index < 20; index += 1) await ask(index);
    const samples: number[] = [];
    for (let index = 20; index < 20 + SAMPLES; index += 1) {
      const begun = performance.now();
      await ask(index);
      samples.push(performance.now() - begun);
    }
    medians[name] = percentile(samples, 0.5);
  }
  return medians;
}

/** Far beyond the stored ones, so that sizes do not collide. */
async function storeOne(db: Database, orders: number): Promise<void> {
  extra += 1;
  const n = 100_000_000 + orders + extra;
  await storeOrders(db, { from: n, to: n, apiKeyId: 'key_extra', accounts: 100 });
}
