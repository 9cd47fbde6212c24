import { and, eq, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { orphanedRequests } from '#server/platform/database/schema/chain.ts';

/** Counts requests that locked funds without an order, and those not yet returned. */
export async function countOrphanedRequests(deps: {
  database: Database;
}): Promise<{ total: number; open: number }> {
  const [counts] = await deps.database.orm
    .select({
      total: sql<number>`count(*)::int`,
      open: sql<number>`count(*) filter (where ${orphanedRequests.state} = 'open')::int`,
    })
    .from(orphanedRequests);
  return counts ?? { total: 0, open: 0 };
}

/**
 * Reopens returned requests whose return the vault no longer has a log of.
 * @param chainOrderIds those whose logs have changed; without them all are checked
 */
export async function reopenOrphanedRequests(
  tx: Queryable,
  chainOrderIds?: readonly string[],
): Promise<void> {
  await tx
    .update(orphanedRequests)
    .set({ state: 'open', returnHash: null, resolvedAt: null })
    .where(
      and(
        eq(orphanedRequests.state, 'returned'),
        chainOrderIds && isOneOf(orphanedRequests.chainOrderId, chainOrderIds),
        sql`not exists (select 1 from vault_events e
          where e.chain_order_id = ${orphanedRequests.chainOrderId} and e.kind = 'refunded')`,
      ),
    );
}
