import { notifyDue } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Claimed } from '#server/domain/orders/lifecycle/lease.ts';
import { wake } from '#server/domain/orders/lifecycle/wake.ts';
import type { Queryable } from '#server/platform/database/client.ts';

/**
 * Makes open orders due at once, in the caller's transaction. Notifies every processor of those
 * that this process has no room for.
 * @param room how many of them this process claims
 * @returns the claimed orders: to execute after the commit
 */
export async function wakeOrders(
  tx: Queryable,
  orderIds: readonly string[],
  room = 0,
): Promise<Claimed[]> {
  const { taken, areOthersDue } = await wake(tx, orderIds, room);
  if (areOthersDue) await notifyDue(tx);
  return taken;
}
