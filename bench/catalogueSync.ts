import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startDatabase } from '#sandbox/database/startDatabase.ts';
import { PROFESSIONAL_LIMITS } from '#sandbox/exchange/http/rateLimit.ts';
import { runSync } from '#sandbox/exchange/testing/startSync.ts';
import { startTestExchange, type TestExchange } from '#sandbox/exchange/testing/testExchange.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { LIMIT_SHARE } from '#server/exchange/kalshi/tokenBucket.ts';
import { migrateDatabase } from '#server/platform/database/migrate.ts';
import { isQuick } from './harness/options.ts';
import { report } from './report.ts';

/**
 * Mirrors a long list of markets into a real PostgreSQL, twice, and compares with bare fetching of
 * the same pages: `node bench/catalogueSync.ts [markets]`, 100,000 by default.
 */
const markets = Number(process.argv[2] ?? (isQuick ? 10_000 : 100_000));
const MOST_EXTRA_MIB = 300;
const TOKENS_A_REQUEST = 10;
/** What the exchange's smallest tier refills in a second and holds, in tokens. */
const SMALLEST_TIER = 200;

/** Fetches and parses every page that the mirror reads, and discards it. */
async function fetchBare(exchange: TestExchange): Promise<{ seconds: number; requests: number }> {
  const begun = performance.now();
  let requests = 0;
  const read = async (path: string): Promise<{ cursor?: string }> => {
    requests += 1;
    const response = await fetch(`${exchange.url}${path}`);
    return (await response.json()) as { cursor?: string };
  };
  await read('/series?include_volume=true');
  for (const status of ['open', 'unopened', 'closed']) {
    let cursor = '';
    do {
      const query = new URLSearchParams({ limit: '200', with_nested_markets: 'true', status });
      if (cursor !== '') query.set('cursor', cursor);
      cursor = (await read(`/events?${query}`)).cursor ?? '';
    } while (cursor !== '');
  }
  return { seconds: (performance.now() - begun) / 1000, requests };
}

async function othersOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return rows[0]?.others ?? 0;
}

async function writtenRows(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  // A session reports what it did when it ends.
  await pollUntil(async () => ((await othersOf(client)) === 0 ? true : undefined), {
    timeoutMs: 10_000,
  });
  const { rows } = await client.query<{ written: string }>(
    `select sum(n_tup_ins + n_tup_upd) as written from pg_stat_user_tables
     where relname in ('markets', 'events')`,
  );
  await client.end();
  return Number(rows[0]?.written ?? 0);
}

const dataDir = await mkdtemp(join(tmpdir(), 'crossbook-bench-'));
const exchange = await startTestExchange('ed25519', { benchmarkMarkets: markets });
const database = await startDatabase({ dataDir });
try {
  await migrateDatabase(database.url);
  await fetchBare(exchange);
  const bare = await fetchBare(exchange);
  const first = await runSync(exchange, database.url);
  const afterFirst = await writtenRows(database.url);
  const again = await runSync(exchange, database.url);
  const afterAgain = await writtenRows(database.url);
  if (!first || !again) throw new Error('a reading of the list ended early');
  const extraMiB = (first.peakRssBytes - first.firstRssBytes) / 2 ** 20;
  report(`Mirror of ${markets.toLocaleString('en-US')} markets and the sandbox's own`, [
    {
      name: 'first reading, everything written',
      ours: first.milliseconds / 1000,
      baseline: bare.seconds,
      unit: 's',
    },
    {
      name: 'reading again, only changes written',
      ours: again.milliseconds / 1000,
      baseline: bare.seconds,
      unit: 's',
    },
    { name: 'requests', ours: first.requests, baseline: bare.requests, unit: '' },
    {
      name: 'first reading (baseline: our share of what the smallest tier allows)',
      ours: first.milliseconds / 1000,
      baseline: (first.requests * TOKENS_A_REQUEST - SMALLEST_TIER) / (SMALLEST_TIER * LIMIT_SHARE),
      unit: 's',
      // The few requests of a short list are there at once.
      ...(!isQuick && { atMost: 1 }),
    },
    {
      name: 'requests a second (baseline: this exchange allows)',
      ours: first.requests / (first.milliseconds / 1000),
      baseline: PROFESSIONAL_LIMITS.read.refill / TOKENS_A_REQUEST,
      unit: '/s',
      atMost: 1,
    },
    {
      name: 'rows written when reading again (baseline: first)',
      ours: afterAgain - afterFirst,
      baseline: afterFirst,
      unit: 'rows',
      atMost: 0.2,
    },
    { name: 'memory above an idle process', ours: extraMiB, unit: 'MiB', atMost: MOST_EXTRA_MIB },
  ]);
} finally {
  await Promise.all([database.stop(), exchange.remove()]);
  await rm(dataDir, { recursive: true, force: true });
}
