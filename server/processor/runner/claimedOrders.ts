import {
  type Claimed,
  maintainLease,
  releaseLease,
} from '#server/domain/orders/lifecycle/lease.ts';
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
  let isClosed = false;

  async function giveBack(claims: readonly Claimed[]): Promise<void> {
    // Without a database their leases expire.
    await Promise.allSettled(
      claims.map(({ lease }) => releaseLease(database, lease, { delayMs: 0 })),
    );
  }

  return {
    /** How many more can start at once. */
    room: () => pool.free(),
    /** Queues claims for execution and renews their leases until then. */
    async run(claims: readonly Claimed[]): Promise<void> {
      if (isClosed) return await giveBack(claims);
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
    /**
     * At the end of the process: gives back the claims of orders that have not started, so that
     * another process takes them over at once, and later ones as they come.
     */
    async close(): Promise<void> {
      isClosed = true;
      const left = [...held.values()];
      held.clear();
      for (const { stopRenewing } of left) stopRenewing();
      await giveBack(left.map(({ claimed }) => claimed));
    },
  };
}
