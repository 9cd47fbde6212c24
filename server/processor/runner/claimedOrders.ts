import { type Claimed, maintainLease } from '#server/domain/orders/lifecycle/lease.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { WorkPool } from './workPool.ts';

/**
 * Orders that this process claimed in the statement that woke them; they need no notification and
 * no poll.
 */
export type ClaimedOrders = {
  /** How many more can start at once. */
  room(): number;
  /** Queues claims for execution and renews their leases until then. */
  carry(claims: readonly Claimed[]): void;
  /** Returns the claim of an order, once. */
  take(orderId: string): Claimed | undefined;
};

export function createClaimedOrders(options: {
  database: Database;
  pool: Pick<WorkPool, 'start' | 'free'>;
}): ClaimedOrders {
  const { database, pool } = options;
  const held = new Map<string, { claimed: Claimed; stopRenewing: () => void }>();
  return {
    room: () => pool.free(),
    carry(claims) {
      for (const claimed of claims) {
        const { orderId } = claimed.lease;
        held.get(orderId)?.stopRenewing();
        held.set(orderId, { claimed, stopRenewing: maintainLease(database, claimed.lease) });
        pool.start(orderId);
      }
    },
    take(orderId) {
      const found = held.get(orderId);
      held.delete(orderId);
      found?.stopRenewing();
      return found?.claimed;
    },
  };
}
