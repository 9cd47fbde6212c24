import { notifyDue } from '#server/domain/orders/lifecycle/dueOrders.ts';
import type { Claimed } from '#server/domain/orders/lifecycle/lease.ts';
import { wake } from '#server/domain/orders/lifecycle/wake.ts';
import type { Queryable } from '#server/platform/database/client.ts';

/**
 * Makes orders due at once, in the caller's transaction; those that have ended stay as they are.
 * Those that this process has no room for are announced to every processor.
 * @param room how many of them this process takes
 * @returns what it has taken: to be carried on when the transaction is committed
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
