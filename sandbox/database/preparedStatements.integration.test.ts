import { afterEach, beforeAll, expect, it } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { storedOrderId, storeOrders } from '#sandbox/testing/storedOrders.ts';
import { wake } from '#server/domain/orders/lifecycle/dueOrders.ts';
import { claimDueOrder } from '#server/domain/orders/lifecycle/lease.ts';
import { applyTransition } from '#server/domain/orders/lifecycle/transition.ts';
import { closeDatabase, type Database, openDatabase } from '#server/platform/database/client.ts';

/** PostgreSQL keeps frequent statements prepared. */

/** More executions than it takes to prepare a statement. */
const ROUNDS = 15;
let url = '';
let database: Database;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  url = migrated.url;
  await storeOrders(migrated.database, { from: 1, to: ROUNDS + 1, apiKeyId: 'key', accounts: 1 });
  await migrated.database.pool.query(
    `update orders set stage = 'place', status = 'validated', is_complete = false,
       termination_reason = null, next_run_at = now() + interval '1 hour'`,
  );
  await migrated.close();
});

afterEach(() => closeDatabase(database));

function open(more: { isPooled?: boolean } = {}): Database {
  return openDatabase({ url, applicationName: 'test', maxConnections: 1, ...more });
}

/** Claims an order and advances it one step, as the processor does. */
async function carry(orderId: string) {
  const { taken } = await wake(database.orm, [orderId], 1);
  const claimed = taken[0] ?? (await claimDueOrder(database, orderId));
  if (!claimed) throw new Error('the intent was not to be had');
  const { lease, order } = claimed;
  const events = [{ type: 'first' }];
  const step = { from: 'place', events, next: { kind: 'park', delayMs: 60_000 } } as const;
  return await applyTransition(database, lease, { ...step, events }, order.nextRunAt);
}

async function keptStatements(): Promise<string[]> {
  const { rows } = await database.pool.query<{ statement: string }>(
    'select statement from pg_prepared_statements',
  );
  return rows.map(({ statement }) => statement);
}

it('given frequent statements, prepares them; they survive an added column', async () => {
  database = open();
  for (let round = 1; round <= ROUNDS; round += 1) await carry(storedOrderId(round));
  const kept = await keptStatements();
  expect(kept.filter((text) => text.includes('applied as'))).toHaveLength(1);
  expect(kept.filter((text) => text.includes('woken as'))).toHaveLength(1);

  await database.pool.query(
    'alter table orders add column of_tomorrow text default $$x$$, alter stage set default $$x$$',
  );
  const after = await carry(storedOrderId(ROUNDS + 1));
  expect(after).toMatchObject({ id: storedOrderId(ROUNDS + 1), stage: 'place' });
  expect(after).not.toHaveProperty('of_tomorrow');
});

it('given a transaction pooler, prepares none', async () => {
  database = open({ isPooled: true });
  for (let round = 1; round <= ROUNDS; round += 1) await carry(storedOrderId(round));
  expect(await keptStatements()).toEqual([]);
});
