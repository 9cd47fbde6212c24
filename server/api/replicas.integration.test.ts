import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '#lib/api/client.ts';
import { type Standby, startStandby } from '#sandbox/database/standby.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { startSibling } from '#sandbox/process/siblings.ts';
import type { RunningPart } from '#sandbox/process/supervised.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import {
  createTrader,
  fetchToken,
  findLiquidMarket,
  type Trader,
} from '#sandbox/testing/trader.ts';
import { buyOn } from '#sandbox/testing/trades.ts';

/** A second web server that reads what may be a little old from a standby. */

const STALENESS_SECONDS = 3;

const stack = ownTestStack('replicas');
let standby: Standby;
let web: RunningPart;
let baseUrl: string;
let trader: Trader;
let token: string;
let ticker: string;

beforeAll(async () => {
  const { databaseUrl, pids, apiKey } = stack.description();
  trader = await createTrader(stack.description());
  token = await fetchToken(createClient({ ...stack.description(), apiKey }), trader.wallet);
  ticker = await findLiquidMarket(trader);
  standby = await startStandby({ url: databaseUrl, home: stack.folder.database });
  const port = await anyFreePort();
  baseUrl = `http://localhost:${port}`;
  web = await startSibling(pids.web[0] ?? 0, {
    entry: 'server/api/main.ts',
    logFile: join(stack.folder.logs, 'web-2.log'),
    changes: {
      PORT: String(port),
      PUBLIC_BASE_URL: stack.description().baseUrl,
      DATABASE_REPLICA_URLS: standby.url,
      DATABASE_REPLICA_STALENESS_SECONDS: String(STALENESS_SECONDS),
    },
  });
}, 120_000);

afterAll(async () => {
  await web?.stop();
  await standby?.stop();
});

async function read(path: string): Promise<string> {
  const response = await fetch(`${baseUrl}${path}`, {
    headers: { 'x-api-key': stack.description().apiKey, authorization: `Bearer ${token}` },
  });
  expect(response.status, path).toBe(200);
  return await response.text();
}

const exported = () => read(`/v1/exports/orders.csv?userAddress=${trader.wallet.address}`);
const buy = async () => (await buyOn(stack.description())(trader, ticker, 'yes', '1')).id;

/** How often the standby has read the table of orders. */
async function countReads(): Promise<number> {
  const client = new pg.Client({ connectionString: standby.url });
  await client.connect();
  const { rows } = await client.query<{ reads: number }>(
    `select (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as reads
     from pg_stat_user_tables where relname = 'orders'`,
  );
  await client.end();
  return rows[0]?.reads ?? 0;
}

/** Exports until the standby has served one. */
async function untilStandbyServes(): Promise<void> {
  const served = await countReads();
  const next = async () => {
    await exported();
    return await countReads();
  };
  await expect.poll(next, { timeout: 20_000 }).toBeGreaterThan(served);
}

describe('a web server with a standby', { tags: ['long'] }, () => {
  it('given a standby that is current, exports come from it', async () => {
    const id = await buy();
    await untilStandbyServes();
    await expect.poll(exported, { timeout: 20_000 }).toContain(id);
  });

  it('given a standby that lags, an export has the order when the bound has passed', async () => {
    await untilStandbyServes();
    await standby.holdBack();
    const id = await buy();
    const boughtAt = performance.now();
    // The order itself never comes from a standby.
    expect(await read(`/v1/order/${id}`)).toContain('"completed"');
    await expect.poll(exported, { timeout: 20_000, interval: 50 }).toContain(id);
    expect(performance.now() - boughtAt).toBeLessThan((STALENESS_SECONDS + 1) * 1_000);
    await standby.catchUp();
    await untilStandbyServes();
  });

  it('given a standby that freezes, reads come from the primary until it runs again', async () => {
    process.kill(standby.pid, 'SIGSTOP');
    const id = await buy();
    await expect.poll(exported, { timeout: 20_000 }).toContain(id);
    process.kill(standby.pid, 'SIGCONT');
    await untilStandbyServes();
  });
});
