import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { notifyDue } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Database } from '#server/platform/database/client.ts';
import { createLog } from '#server/platform/log.ts';
import { listenForDue } from '#server/processor/runner/pollDueOrders.ts';

/** Processors are notified of due orders, and still find them after their connection breaks. */

const over = new AbortController();
const onDue = vi.fn();
let database: Database;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  database = migrated.database;
  const log = createLog('tool', 'silent');
  const listening = listenForDue({ databaseUrl: migrated.url, onDue, log }, over.signal);
  await vi.waitFor(() => expect(onDue).toHaveBeenCalled());
  return async () => {
    over.abort();
    await listening;
    await migrated.close();
  };
});

beforeEach(() => onDue.mockClear());

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
  await vi.waitFor(() => expect(onDue).toHaveBeenCalledTimes(1), { timeout: 120_000 });
  await notifyDue(database.orm);
  await vi.waitFor(() => expect(onDue).toHaveBeenCalledTimes(2));
});
