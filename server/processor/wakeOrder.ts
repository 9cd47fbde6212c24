import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/client.ts';
import { orders } from '#server/db/schema/orders.ts';
import type { OrderQueue } from '#server/orders/queue.ts';

/** Makes an intent due at once, in the caller's transaction. */
export async function wakeOrder(tx: Queryable, queue: OrderQueue, orderId: string): Promise<void> {
  const [due] = await tx
    .update(orders)
    .set({ nextRunAt: sql`now()` })
    .where(and(eq(orders.id, orderId), eq(orders.isComplete, false)))
    .returning({ id: orders.id });
  if (due) await queue.enqueue(tx, orderId);
}
