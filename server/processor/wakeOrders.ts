import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/client.ts';
import { isOneOf } from '#server/db/isOneOf.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { OrderQueue } from '#server/orders/queue.ts';

/**
 * Makes intents due at once, in the caller's transaction; those that are over stay as they are.
 * They are taken in the order of their ids, so that nobody waits in a circle.
 */
export async function wakeOrders(
  tx: Queryable,
  queue: OrderQueue,
  orderIds: readonly string[],
): Promise<void> {
  if (orderIds.length === 0) return;
  const open = tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(isOneOf(orders.id, orderIds), eq(orders.isComplete, false)))
    .orderBy(orders.id)
    .for('update');
  const due = await tx
    .update(orders)
    .set({ nextRunAt: sql`now()` })
    .where(inArray(orders.id, open))
    .returning({ id: orders.id });
  await queue.enqueue(tx, ...due.map((one) => one.id));
}
