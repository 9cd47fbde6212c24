import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { exchangeFills, orders } from '#server/platform/database/schema/orders.ts';
import type { OrderRow } from './orderRow.ts';

/** The fills that are recorded of an order, for its owner and for the house. */
export async function listStoredFills(database: Database, orderId: string) {
  return await database.orm
    .select({
      fillId: exchangeFills.fillId,
      contractMicros: exchangeFills.contractMicros,
      priceMicros: exchangeFills.priceMicros,
      feeMicros: exchangeFills.feeMicros,
      clientOrderId: exchangeFills.clientOrderId,
    })
    .from(exchangeFills)
    .where(eq(exchangeFills.orderId, orderId));
}

/**
 * Whether this process may change the order at the exchange now: it still holds the lease, and an
 * amendment is the one that was stored, and recent.
 */
export async function mayChangeOrder(
  { orm }: Database,
  { id, leaseToken }: Pick<OrderRow, 'id' | 'leaseToken'>,
  amendment?: { storedAt: Date; withinMs: number },
): Promise<boolean> {
  if (leaseToken === null) return false;
  const isRecent =
    amendment &&
    sql`${orders.amendStoredAt} = ${amendment.storedAt.toISOString()}::timestamptz
      and ${orders.amendStoredAt} > now() - ${amendment.withinMs} * interval '1 millisecond'`;
  const rows = await orm
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.id, id),
        eq(orders.leaseToken, leaseToken),
        sql`${orders.leaseUntil} > now()`,
        isRecent,
      ),
    );
  return rows.length === 1;
}
