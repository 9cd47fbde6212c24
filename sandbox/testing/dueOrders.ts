import { type Claimed, claimDueOrder } from '#server/domain/orders/lifecycle/lease.ts';
import type { Transition } from '#server/domain/orders/lifecycle/transition.ts';
import type { Database } from '#server/platform/database/client.ts';
import { startMigratedDatabase } from './migratedDatabase.ts';
import { storedOrderId, storeOrders } from './storedOrders.ts';

/** A database with this many validated orders, which are due and have no log. */
export async function startWithDueOrders(count: number) {
  const migrated = await startMigratedDatabase();
  const { database } = migrated;
  await storeOrders(database, { from: 1, to: count, apiKeyId: 'key_moved', accounts: 5 });
  await database.pool.query('delete from order_events');
  await database.pool.query(
    `update orders set stage = 'place', status = 'validated', is_complete = false,
       termination_reason = null, next_run_at = now() - interval '1 second'`,
  );
  return migrated;
}

/** Returns ids of stored orders, each once. */
export function unusedIds(): (count: number) => string[] {
  let used = 0;
  return (count) => {
    used += count;
    return Array.from({ length: count }, (_, index) => storedOrderId(used - count + index + 1));
  };
}

/** @throws if one of them is held or not due */
export async function claimAll(database: Database, ids: readonly string[]): Promise<Claimed[]> {
  const claims = await Promise.all(ids.map((id) => claimDueOrder(database, id)));
  return claims.map((claimed) => {
    if (!claimed) throw new Error('an order could not be claimed');
    return claimed;
  });
}

/** The rows of one order in a table. */
export async function rowsOf<Row extends object>(
  database: Database,
  table: string,
  orderId: string,
): Promise<Row[]> {
  const { rows } = await database.pool.query<Row>(`select * from ${table} where order_id = $1`, [
    orderId,
  ]);
  return rows;
}

/** A step of a due order that changes its status and logs two events. */
export const executingStep: Transition = {
  from: 'place',
  set: { status: 'executing' },
  events: [{ type: 'first' }, { type: 'second', detail: 'why' }],
  next: { kind: 'continue' },
};
