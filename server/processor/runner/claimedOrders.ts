import { type Claimed, maintainLease } from '#server/domain/orders/lifecycle/lease.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { WorkPool } from './workPool.ts';

export type ClaimedOrders = ReturnType<typeof createClaimedOrders>;

/**
 * Orders that this process claimed in the statement that woke them; they need no notification and
 * no poll.
 */
export function createClaimedOrders(options: {
  database: Database;
  pool: Pick<WorkPool, 'start' | 'free'>;
}) {
  const { database, pool } = options;
  const held = new Map<string, { claimed: Claimed; stopRenewing: () => void }>();
  return {
    /** How many more can start at once. */
    room: () => pool.free(),
    /** Queues claims for execution and renews their leases until then. */
    run(claims: readonly Claimed[]): void {
      for (const claimed of claims) {
        const { orderId } = claimed.lease;
        held.get(orderId)?.stopRenewing();
        held.set(orderId, { claimed, stopRenewing: maintainLease(database, claimed.lease) });
        pool.start(orderId);
      }
    },
    /** Returns the claim of an order, once. */
    take(orderId: string): Claimed | undefined {
      const found = held.get(orderId);
      held.delete(orderId);
      found?.stopRenewing();
      return found?.claimed;
    },
  };
}
