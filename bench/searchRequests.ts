import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDatabase } from '#sandbox/database/startDatabase.ts';
import { runSync } from '#sandbox/exchange/testing/startSync.ts';
import { startTestExchange } from '#sandbox/exchange/testing/testExchange.ts';
import { searchMarkets } from '#server/domain/markets/search/search.ts';
import { closeDatabase, openDatabase } from '#server/platform/database/client.ts';
import { migrateDatabase } from '#server/platform/database/migrate.ts';
import { isQuick } from './harness/options.ts';
import { percentile, report } from './report.ts';

/**
 * Searches as the interface runs them: ranked in memory, read from PostgreSQL with their
 * markets: `node bench/searchRequests.ts [markets]`, 100,000 when left out.
 */
const markets = Number(process.argv[2] ?? (isQuick ? 10_000 : 100_000));
const ROUNDS = 40;
const QUERIES = [
  'bitcoin',
  'federal reserve',
  'ferry turnout',
  'museum attendance in corbay',
  'rain chicago',
  'presidental election',
  'harvset orchard',
  'which range',
  'KXPRESPARTY-28',
  '',
];

const dataDir = await mkdtemp(join(tmpdir(), 'crossbook-bench-'));
const exchange = await startTestExchange('ed25519', { benchmarkMarkets: markets });
const postgres = await startDatabase({ dataDir });
const database = openDatabase({ url: postgres.url, applicationName: 'bench', maxConnections: 4 });
try {
  await migrateDatabase(postgres.url);
  await runSync(exchange, postgres.url);
  await database.pool.query('analyze');
  const search = async (query: string) => {
    const begun = performance.now();
    await searchMarkets(
      { database },
      { query, pageSize: 25, orderBy: 'querymatch', fuzzyThreshold: 4, statuses: ['open'] },
    );
    return performance.now() - begun;
  };
  const first = await search('bitcoin');
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const query of QUERIES) samples.push(await search(query));
  }
  report(`Searches with ${markets.toLocaleString('en-US')} markets, 25 events a page`, [
    { name: 'the first one, which reads all events', ours: first, unit: 'ms' },
    { name: 'half are faster than', ours: percentile(samples, 0.5), unit: 'ms', atMost: 50 },
    { name: '99 of 100 are faster than', ours: percentile(samples, 0.99), unit: 'ms', atMost: 100 },
  ]);
} finally {
  await closeDatabase(database);
  await Promise.all([postgres.stop(), exchange.remove()]);
  await rm(dataDir, { recursive: true, force: true });
}
