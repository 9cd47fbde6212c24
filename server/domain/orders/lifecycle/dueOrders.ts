import { and, asc, eq, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { orders } from '#server/platform/database/schema/orders.ts';

/** Every processor that executes orders listens on it. */
export const DUE_CHANNEL = 'orders_due';

/**
 * Part of a statement that makes orders due; PostgreSQL sends one notification per transaction, at
 * commit.
 */
export const NOTIFY_DUE = sql.raw(`pg_notify('${DUE_CHANNEL}', '')`);

/**
 * Signals at the caller's commit that orders are due. The rows are the queue: a lost notification
 * costs one poll interval.
 */
export async function notifyDue(db: Queryable): Promise<void> {
  await db.execute(sql`select ${NOTIFY_DUE}`);
}

/**
 * Due orders without a lease, the most overdue first: woken orders, orders whose pause has ended,
 * and orders of a dead processor. Unwinding orders have ended for their owners and have an index of
 * their own.
 */
export async function findDueOrders(database: Database, limit: number): Promise<string[]> {
  const open = findDue(database, eq(orders.isComplete, false), limit);
  const unwinding = findDue(database, eq(orders.isUnwinding, true), limit);
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
