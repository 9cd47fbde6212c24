import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { type Claimed, leaseEnd } from './lease.ts';
import { orderColumns, readOrderRow } from './orderRow.ts';

/** Orders made due: those that the caller claimed, and whether others are due. */
export type Woken = { taken: Claimed[]; areOthersDue: boolean };

/**
 * Makes open orders due at once, in the caller's transaction. The caller claims up to `room` of
 * those without a lease and executes them after the commit; if it does not, their leases expire and
 * they are due again. Claims go by ascending id: consistent lock order prevents deadlocks.
 */
export async function wake(
  tx: Queryable,
  orderIds: readonly string[],
  room: number,
): Promise<Woken> {
  if (orderIds.length === 0) return { taken: [], areOthersDue: false };
  const token = randomUUID();
  const result = await tx.execute<Record<string, unknown>>(sql`
    with open as materialized (
      select id, coalesce(lease_until < now(), true) as is_free from orders
      where id = any(${sql.param([...orderIds])}::uuid[]) and not is_complete
      order by id for update),
    woken as (
      select id, is_free and row_number() over (partition by is_free order by id) <= ${room}::int as is_taken
      from open)
    update orders o set next_run_at = now(),
      lease_token = case when w.is_taken then ${token}::uuid else o.lease_token end,
      lease_until = case when w.is_taken then ${leaseEnd()} else o.lease_until end
    from woken w where o.id = w.id
    returning ${orderColumns('o')}, w.is_taken`);
  const taken = result.rows.flatMap((row) => {
    if (row.is_taken !== true) return [];
    const order = readOrderRow(row);
    return [{ lease: { orderId: order.id, token }, order }];
  });
  return { taken, areOthersDue: taken.length < result.rows.length };
}
