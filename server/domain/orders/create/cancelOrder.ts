import {
  and,
  asc,
  eq,
  inArray,
  isNotNull,
  isNull,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { chainOperations } from '#server/platform/database/schema/chain.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { notifyDue } from '../lifecycle/dueOrders.ts';
import { restsSql } from '../lifecycle/orderRow.ts';
import { appendEvents } from '../lifecycle/transition.ts';
import { getOrder, requireVisible, type Viewer, visibleTo } from '../read/readOrders.ts';

type Deps = { database: Database };

/**
 * Cancels an order before its funds are locked, one that waits for its price, or one that rests at
 * the exchange, whose unfilled part is returned. Fails once the lock or the withdrawal of any other
 * has been submitted to the chain. Idempotent.
 * @throws {ServiceError} order_not_found, order_not_cancellable
 */
export async function cancelOrder(
  deps: Deps,
  input: { viewer: Viewer; id: string },
): Promise<OrderRecordWithEvents> {
  const row = await requireVisible(deps, input.viewer, input.id);
  if (row.cancelRequestedAt === null) {
    const cancelled = await deps.database.orm.transaction((tx) =>
      requestCancel(tx, eq(orders.id, row.id)),
    );
    if (cancelled.length === 0) throw notCancellable();
  }
  return await getOrder(deps, input);
}

/**
 * Cancels every order of the viewer that rests, waits for its price, or is about to, in one market
 * or in all.
 * @returns the ids of those that were asked to end now
 */
export async function cancelRestingOrders(
  deps: Deps,
  { viewer, ticker }: { viewer: Viewer; ticker: string | undefined },
): Promise<string[]> {
  return await deps.database.orm.transaction((tx) =>
    requestCancel(
      tx,
      and(
        visibleTo(viewer),
        or(restsSql('orders'), isNotNull(orders.triggerPriceMicros)),
        ticker === undefined ? undefined : eq(orders.ticker, ticker),
      ),
    ),
  );
}

/** Asks the orders to end that still may. @returns the ids of those that were asked now */
export async function requestCancel(tx: Queryable, which: SQL | undefined): Promise<string[]> {
  const submitted = tx
    .select({ id: chainOperations.id })
    .from(chainOperations)
    .where(
      and(
        eq(chainOperations.orderId, orders.id),
        sql`${chainOperations.kind} in ('request', 'withdraw', 'redeem')`,
      ),
    );
  const isBeforeLock = and(eq(orders.status, 'pending'), notExists(submitted));
  const isResting = and(
    restsSql('orders'),
    inArray(orders.stage, ['request', 'trigger', 'place', 'rest']),
    isNull(orders.endingReason),
  );
  // Releasing it is refused from then on, and the other way round.
  const isWaiting = and(
    isNotNull(orders.triggerPriceMicros),
    isNull(orders.triggeredAt),
    isNull(orders.endingReason),
  );
  // Locked by ascending id, as wherever several orders are: otherwise transactions could deadlock.
  const ending = tx
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        which,
        eq(orders.isComplete, false),
        isNull(orders.cancelRequestedAt),
        or(isBeforeLock, isWaiting, isResting),
      ),
    )
    .orderBy(asc(orders.id))
    .for('update');
  const cancelled = await tx
    .update(orders)
    .set({ cancelRequestedAt: sql`now()`, nextRunAt: sql`now()`, updatedAt: sql`now()` })
    .where(inArray(orders.id, ending))
    .returning();
  for (const order of cancelled) {
    if (order.timeInForce !== null || order.triggerPriceMicros !== null)
      await appendEvents(tx, order, [{ type: 'cancel_requested' }]);
  }
  if (cancelled.length > 0) await notifyDue(tx);
  return cancelled.map((order) => order.id);
}

function notCancellable(): ServiceError {
  return new ServiceError(
    'order_not_cancellable',
    'This order can no longer be cancelled: its funds are already moving, or it has ended. ' +
      'Any unfilled amount is returned.',
  );
}
