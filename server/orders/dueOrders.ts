import { and, asc, eq, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { orders } from '../db/schema/orders.ts';

/**
 * Intents that are due and that nobody holds, those that have waited longest first: those that
 * were woken, those whose wait is over, and those whose processor died.
 */
export async function findDueOrders({ orm }: Database, limit: number): Promise<string[]> {
  const due = await orm
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.isComplete, false),
        lte(orders.nextRunAt, sql`now()`),
        or(isNull(orders.leaseUntil), lt(orders.leaseUntil, sql`now()`)),
      ),
    )
    .orderBy(asc(orders.nextRunAt))
    .limit(limit);
  return due.map((order) => order.id);
}
