import { and, eq, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { strayRequests } from '#server/platform/database/schema/chain.ts';

/** How often funds were locked for no order, and how many are not back with their owners yet. */
export async function countStrayRequests(deps: {
  database: Database;
}): Promise<{ total: number; open: number }> {
  const [counts] = await deps.database.orm
    .select({
      total: sql<number>`count(*)::int`,
      open: sql<number>`count(*) filter (where ${strayRequests.state} = 'open')::int`,
    })
    .from(strayRequests);
  return counts ?? { total: 0, open: 0 };
}

/**
 * Requests that were sent back, and of whose return the vault has no log any more, are open again.
 * @param chainOrderIds those whose logs have changed; without them all are checked
 */
export async function reopenStrayRequests(
  tx: Queryable,
  chainOrderIds?: readonly string[],
): Promise<void> {
  await tx
    .update(strayRequests)
    .set({ state: 'open', returnHash: null, resolvedAt: null })
    .where(
      and(
        eq(strayRequests.state, 'returned'),
        chainOrderIds && isOneOf(strayRequests.chainOrderId, chainOrderIds),
        sql`not exists (select 1 from vault_events e
          where e.chain_order_id = ${strayRequests.chainOrderId} and e.kind = 'refunded')`,
      ),
    );
}
