import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '../db/client.ts';
import {
  newTrader,
  newWallet,
  openMarket,
  openSession,
  type Session,
} from './testing/apiSession.ts';

let session: Session;
let database: Database;

beforeAll(async () => {
  session = await openSession();
  database = openDatabase({
    url: inject('sandbox').databaseUrl,
    applicationName: 'crossbook-test',
    maxConnections: 2,
  });
});

afterAll(async () => {
  await closeDatabase(database);
});

/** Written by what runs beside: counters of callers, the mirror of the exchange, the chain's log. */
const MOVES_BY_ITSELF =
  /^(rate_limits|api_key_usage|chain_.*|block_times|usdc_transfers|token_transfers|vault_events|ledger_entries|markets?|market_.*|events|series|price_.*|venue_.*|reconcil.*|alerts?|processors?|names|resolved_names|webhook_.*|redemptions|usdc_accounts_.*)$/;

async function countRows(): Promise<Record<string, number>> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables.filter((one) => !MOVES_BY_ITSELF.test(one.name))) {
    const { rows } = await database.pool.query<{ n: number }>(
      `select count(*)::int as n from "${name}"`,
    );
    counts[name] = rows[0]?.n ?? -1;
  }
  return counts;
}

it('no GET stores anything, whatever address it names', async () => {
  const { paths } = (await (await fetch(`${session.baseUrl}/v1/openapi.json`)).json()) as {
    paths: Record<string, { get?: { parameters?: { name: string; in: string }[] } }>;
  };
  const trader = await newTrader(session);
  const market = await openMarket(session);
  const before = await countRows();
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['accounts', 'orders', 'usdc_accounts', 'sign_in_nonces', 'sessions']),
  );
  let asked = 0;
  for (const [path, { get }] of Object.entries(paths)) {
    // A stream has no end.
    if (!get || path === '/v1/stream') continue;
    const values: Record<string, string> = {
      ticker: market.ticker,
      marketId: market.ticker,
      side: 'yes',
      contracts: '1',
      query: 'a',
      range: '1d',
      name: 'alice.test',
    };
    const exampleOf = (name: string) =>
      /address/i.test(name) ? newWallet().address : (values[name] ?? crypto.randomUUID());
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleOf(name));
    const named = (get.parameters ?? []).filter(
      (one) => one.in === 'query' && (/address/i.test(one.name) || one.name in values),
    );
    const query = new URLSearchParams(named.map((one) => [one.name, exampleOf(one.name)]));
    for (const token of [undefined, trader.token]) {
      const answer = await session.send('GET', `${target}?${query}`, token ? { token } : {});
      expect(answer.status, `${target}?${query}: ${answer.text}`).toBeLessThan(500);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(60);
  expect(await countRows()).toEqual(before);
});
