import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { notifyDue } from '#server/domain/orders/lifecycle/dueOrders.ts';
import { closeDatabase, type Database, openDatabase } from '#server/platform/database/client.ts';
import { createLog } from '#server/platform/log.ts';
import { listenForDue } from '#server/processor/runner/pollDueOrders.ts';
import { type RunningDatabase, startDatabase } from './startDatabase.ts';

/** Processors are notified of due orders, and still find them after their connection breaks. */

const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-listener-'));
const over = new AbortController();
const onDue = vi.fn();
let server: RunningDatabase;
let database: Database;
let listening: Promise<void>;

beforeAll(async () => {
  server = await startDatabase({ dataDir });
  database = openDatabase({ url: server.url, applicationName: 'test', maxConnections: 2 });
  const log = createLog('tool', 'silent');
  listening = listenForDue({ databaseUrl: server.url, onDue, log }, over.signal);
  await vi.waitFor(() => expect(onDue).toHaveBeenCalled());
});

beforeEach(() => onDue.mockClear());

afterAll(async () => {
  over.abort();
  await listening;
  await closeDatabase(database);
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

it('given a transaction that makes orders due, it is notified once, when that is committed', async () => {
  await database.orm.transaction(async (tx) => {
    await notifyDue(tx);
    await notifyDue(tx);
    await notifyDue(database.orm);
    await vi.waitFor(() => expect(onDue).toHaveBeenCalledTimes(1));
  });
  await vi.waitFor(() => expect(onDue).toHaveBeenCalledTimes(2));
});

it('given a transaction that is rolled back, it is not notified', async () => {
  const rolledBack = database.orm.transaction(async (tx) => {
    await notifyDue(tx);
    throw new Error('no');
  });
  await expect(rolledBack).rejects.toThrow('no');
  await notifyDue(database.orm);
  await vi.waitFor(() => expect(onDue).toHaveBeenCalled());
  expect(onDue).toHaveBeenCalledTimes(1);
});

it('given a connection that breaks, it polls and reconnects', async () => {
  const { rowCount } = await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'crossbook-listener'`,
  );
  expect(rowCount).toBe(1);
  await vi.waitFor(() => expect(onDue).toHaveBeenCalledTimes(1), { timeout: 10_000 });
  await notifyDue(database.orm);
  await vi.waitFor(() => expect(onDue).toHaveBeenCalledTimes(2));
});
