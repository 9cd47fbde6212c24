import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type CrossbookClient, createClient } from '#lib/api/client.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { environmentOf, startSibling } from '#sandbox/process/siblings.ts';
import type { RunningPart } from '#sandbox/process/supervised.ts';
import { type DatabaseRelay, startDatabaseRelay } from '#sandbox/testing/databaseRelay.ts';
import {
  createTrader,
  fetchToken,
  findLiquidMarket,
  orderBody,
  type Trader,
} from '#sandbox/testing/trader.ts';

/** What callers of a web server see whose database is lost while their orders are stored. */

const sandbox = inject('sandbox');
const folder = mkdtempSync(join(tmpdir(), 'crossbook-outage-'));
/** Longer than PgBouncer's in deploy/cluster, so that a busy machine's own time is not a second wait. */
const WAIT_MS = 10_000;
const ORDERS = 3;

let relay: DatabaseRelay;
let web: RunningPart;
let trader: Trader;
let api: CrossbookClient;
let ticker = '';

beforeAll(async () => {
  trader = await createTrader(sandbox);
  ticker = await findLiquidMarket(trader);
  const [pid = 0] = sandbox.pids.web;
  relay = await startDatabaseRelay({ url: environmentOf(pid).DATABASE_URL ?? '', waitMs: WAIT_MS });
  const port = await anyFreePort();
  web = await startSibling(pid, {
    entry: 'server/api/main.ts',
    logFile: join(folder, 'web.log'),
    changes: {
      DATABASE_URL: relay.url,
      PORT: String(port),
      PUBLIC_BASE_URL: sandbox.baseUrl,
    },
  });
  const token = await fetchToken(createClient(sandbox), trader.wallet);
  const baseUrl = `http://localhost:${port}`;
  api = createClient({ baseUrl, apiKey: sandbox.apiKey, token });
});

afterAll(async () => {
  await web?.stop();
  await relay?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('given a database that is lost while orders are stored, each waits for it once', async () => {
  const bodies = Array.from({ length: ORDERS }, () =>
    orderBody(sandbox, trader, {
      direction: 'BUY',
      side: 'yes',
      contracts: '1',
      quoteLimit: '0.99',
      ticker,
      clientId: randomUUID(),
    }),
  );
  const send = () => Promise.allSettled(bodies.map((body) => api.createOrder(body)));
  relay.loseAt('insert into orders');
  const startedAt = performance.now();
  const refused = await send();
  expect(performance.now() - startedAt).toBeLessThan(2 * WAIT_MS);
  expect(relay.isLost()).toBe(true);
  expect(refused).toEqual(
    bodies.map(() => ({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'service_unavailable', retryAfterSeconds: 1 }),
    })),
  );

  relay.restore();
  await expect.poll(async () => (await api.getStatus()).database.status).toBe('ok');
  const accepted = await send();
  expect(accepted.map(({ status }) => status)).toEqual(bodies.map(() => 'fulfilled'));
});
