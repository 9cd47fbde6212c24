import { randomUUID } from 'node:crypto';
import { and, asc, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { type Claimed, leaseEnd } from './lease.ts';
import { orderColumns, readOrderRow } from './orderRow.ts';

/** Every processor that executes orders listens on it. */
export const DUE_CHANNEL = 'orders_due';

/** For a statement that makes orders due; PostgreSQL sends one notification per transaction. */
export const NOTIFY_DUE = sql.raw(`pg_notify('${DUE_CHANNEL}', '')`);

/** At the caller's commit. The rows are the queue: a lost notification costs one poll interval. */
export async function notifyDue(db: Queryable): Promise<void> {
  await db.execute(sql`select ${NOTIFY_DUE}`);
}

/**
 * Due orders without a lease, the most overdue first: woken orders, orders whose pause has ended,
 * and orders of a dead processor. Unwinding orders have ended for their owners and have an index of
 * their own.
 */
export async function findDueOrders(database: Database, limit: number): Promise<string[]> {
  // Conditions as in the indexes: parameters in their place would keep a plan from using them.
  const open = findDue(database, sql`not ${orders.isComplete}`, limit);
  const unwinding = findDue(database, sql`${orders.isUnwinding}`, limit);
  const due = await unionAll(open, unwinding).orderBy(asc(sql`next_run_at`)).limit(limit);
  return [...new Set(due.map((order) => order.id))];
}

function findDue({ orm }: Database, isOpen: SQL, limit: number) {
  return orm
    .select({ id: orders.id, nextRunAt: orders.nextRunAt })
    .from(orders)
    .where(
      and(
        isOpen,
        lte(orders.nextRunAt, sql`now()`),
        or(isNull(orders.leaseUntil), lt(orders.leaseUntil, sql`now()`)),
      ),
    )
    .orderBy(asc(orders.nextRunAt))
    .limit(limit);
}

/**
 * Makes open orders due at once, in the caller's transaction. The caller claims up to `room` of
 * those without a lease and executes them after the commit; if it does not, their leases expire and
 * they are due again. Rows are locked by ascending id: consistent lock order prevents deadlocks.
 */
export async function wake(
  tx: Queryable,
  orderIds: readonly string[],
  room: number,
): Promise<{ taken: Claimed[]; areOthersDue: boolean }> {
  if (orderIds.length === 0) return { taken: [], areOthersDue: false };
  const token = randomUUID();
  const result = await tx.execute<Record<string, unknown>>(sql`
    with open as materialized (
      select id, coalesce(lease_until < now(), true) as is_free from orders
      where id = any(${sql.param([...orderIds])}::uuid[]) and not is_complete
      order by id for update),
    woken as (
      select id, is_free and row_number() over (partition by is_free order by id) <= ${room}::int as is_taken
      from open)
    update orders o set next_run_at = now(),
      lease_token = case when w.is_taken then ${token}::uuid else o.lease_token end,
      lease_until = case when w.is_taken then ${leaseEnd()} else o.lease_until end
    from woken w where o.id = w.id
    returning ${orderColumns('o')}, w.is_taken`);
  const taken = result.rows.flatMap((row) => {
    if (row.is_taken !== true) return [];
    const order = readOrderRow(row);
    return [{ lease: { orderId: order.id, token }, order }];
  });
  return { taken, areOthersDue: taken.length < result.rows.length };
}

/** The same; notifies every processor of the orders that the caller has no room for. */
export async function wakeOrders(
  tx: Queryable,
  orderIds: readonly string[],
  room = 0,
): Promise<Claimed[]> {
  const { taken, areOthersDue } = await wake(tx, orderIds, room);
  if (areOthersDue) await notifyDue(tx);
  return taken;
}
