import { and, eq, isNull, notExists, sql } from 'drizzle-orm';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import type { Database } from '#server/platform/database/client.ts';
import { chainOperations } from '#server/platform/database/schema/chain.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { notifyDue } from '../lifecycle/dueOrders.ts';
import { getOrder, requireVisible, type Viewer } from '../read/readOrders.ts';

/**
 * Cancels an order before its funds are locked. Fails once the lock or the withdrawal has been
 * submitted to the chain. Idempotent.
 * @throws {ServiceError} order_not_found, order_not_cancellable
 */
export async function cancelOrder(
  deps: { database: Database },
  input: { viewer: Viewer; id: string },
): Promise<OrderRecordWithEvents> {
  const row = await requireVisible(deps, input.viewer, input.id);
  if (row.cancelRequestedAt === null) await requestCancel(deps, row.id);
  return await getOrder(deps, input);
}

async function requestCancel(deps: { database: Database }, orderId: string): Promise<void> {
  await deps.database.orm.transaction(async (tx) => {
    const submitted = tx
      .select({ id: chainOperations.id })
      .from(chainOperations)
      .where(
        and(
          eq(chainOperations.orderId, orders.id),
          sql`${chainOperations.kind} in ('request', 'withdraw', 'redeem')`,
        ),
      );
    const [cancelled] = await tx
      .update(orders)
      .set({ cancelRequestedAt: sql`now()`, nextRunAt: sql`now()`, updatedAt: sql`now()` })
      .where(
        and(
          eq(orders.id, orderId),
          eq(orders.status, 'pending'),
          isNull(orders.cancelRequestedAt),
          notExists(submitted),
        ),
      )
      .returning({ id: orders.id });
    if (!cancelled) {
      throw new ServiceError(
        'order_not_cancellable',
        'This order can no longer be cancelled: its funds are already moving, or it has ended. ' +
          'Any unfilled amount is returned.',
      );
    }
    await notifyDue(tx);
  });
}
