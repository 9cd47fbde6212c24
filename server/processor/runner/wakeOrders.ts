import type { Claimed } from '#server/domain/orders/lifecycle/lease.ts';
import type { OrderQueue } from '#server/domain/orders/lifecycle/queue.ts';
import { wake } from '#server/domain/orders/lifecycle/wake.ts';
import type { Queryable } from '#server/platform/database/client.ts';

/**
 * Makes intents due at once, in the caller's transaction; those that are over stay as they are.
 * What this process has no room for is told to all.
 * @param room how many of them this process takes
 * @returns what it has taken: to be carried on when the transaction is committed
 */
export async function wakeOrders(
  tx: Queryable,
  queue: OrderQueue,
  orderIds: readonly string[],
  room = 0,
): Promise<Claimed[]> {
  const { taken, areOthersDue } = await wake(tx, orderIds, room);
  if (areOthersDue) await queue.enqueue(tx, ...orderIds);
  return taken;
}
