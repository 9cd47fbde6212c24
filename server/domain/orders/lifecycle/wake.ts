import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { type Claimed, leaseEnd } from './lease.ts';
import { orderColumns, readOrderRow } from './orderRow.ts';

/** Intents that were made due: those that were taken in the same breath, and whether others were. */
export type Woken = { taken: Claimed[]; areOthersDue: boolean };

/**
 * Makes intents due at once, in the caller's transaction; those that are over stay as they are.
 * Up to `room` of those that nobody holds are taken by the caller, who must see to them once the
 * transaction is committed: should it not, their leases end, and they are due. They are taken in
 * the order of their ids, so that nobody waits in a circle.
 */
export async function wake(
  tx: Queryable,
  orderIds: readonly string[],
  room: number,
): Promise<Woken> {
  if (orderIds.length === 0) return { taken: [], areOthersDue: false };
  const token = randomUUID();
  const answer = await tx.execute<Record<string, unknown>>(sql`
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
  const taken = answer.rows.flatMap((row) => {
    if (row.is_taken !== true) return [];
    const order = readOrderRow(row);
    return [{ lease: { orderId: order.id, token }, order }];
  });
  return { taken, areOthersDue: taken.length < answer.rows.length };
}
