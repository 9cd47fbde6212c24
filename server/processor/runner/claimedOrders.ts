import { type Claimed, keepLease } from '#server/domain/orders/lifecycle/lease.ts';
import type { WorkPool } from '#server/domain/orders/lifecycle/workPool.ts';
import type { Database } from '#server/platform/database/client.ts';

/**
 * Where intents wait for their turn that this process has taken while it woke them: whoever writes
 * down what they waited for need not say that they are due, and nobody need look for them.
 */
export type ClaimedOrders = {
  /** How many more would be begun at once. */
  room(): number;
  /** Begins to carry them. Their leases are kept until then. */
  carry(claims: readonly Claimed[]): void;
  /** What was taken of an intent, once. */
  take(orderId: string): Claimed | undefined;
};

export function createClaimedOrders(options: {
  database: Database;
  pool: Pick<WorkPool, 'start' | 'free'>;
}): ClaimedOrders {
  const { database, pool } = options;
  const held = new Map<string, { claimed: Claimed; letGo: () => void }>();
  return {
    room: () => pool.free(),
    carry(claims) {
      for (const claimed of claims) {
        const { orderId } = claimed.lease;
        held.get(orderId)?.letGo();
        held.set(orderId, { claimed, letGo: keepLease(database, claimed.lease) });
        pool.start(orderId);
      }
    },
    take(orderId) {
      const found = held.get(orderId);
      held.delete(orderId);
      found?.letGo();
      return found?.claimed;
    },
  };
}
