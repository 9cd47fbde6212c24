import { randomUUID } from 'node:crypto';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { orders } from '../db/schema/orders.ts';

export type OrderRow = typeof orders.$inferSelect;

/** The right to change an intent, held by one process until the database's clock says otherwise. */
export type Lease = { orderId: string; token: string };

/** How soon another processor takes over from one that died. Holders renew well before. */
const LEASE_SECONDS = 4;

/** How often a holder renews while it works. */
export const LEASE_RENEWAL_MS = 1_000;

/** Another process has taken the intent over; whatever was about to be written must not be. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(orderId: string) {
    super(`the lease on intent ${orderId} was lost`);
  }
}

/** Takes the intent if nobody holds it and it is not over. */
export async function claimOrder(
  database: Database,
  orderId: string,
): Promise<{ lease: Lease; order: OrderRow } | undefined> {
  const token = randomUUID();
  const [order] = await database.orm
    .update(orders)
    .set({ leaseToken: token, leaseUntil: leaseEnd() })
    .where(
      and(
        eq(orders.id, orderId),
        eq(orders.isComplete, false),
        or(isNull(orders.leaseUntil), lt(orders.leaseUntil, sql`now()`)),
      ),
    )
    .returning();
  return order ? { lease: { orderId, token }, order } : undefined;
}

/** Keeps the lease for another while. @throws {LeaseLostError} */
export async function renewLease(database: Database, lease: Lease): Promise<OrderRow> {
  const [order] = await database.orm
    .update(orders)
    .set({ leaseUntil: leaseEnd() })
    .where(heldBy(lease))
    .returning();
  if (!order) throw new LeaseLostError(lease.orderId);
  return order;
}

/** Gives the intent back, to be looked at again after `delayMs`. Losing the lease is no error. */
export async function releaseLease(
  database: Database,
  lease: Lease,
  options: { delayMs: number; failed?: boolean },
): Promise<void> {
  await database.orm
    .update(orders)
    .set({
      leaseToken: null,
      leaseUntil: null,
      nextRunAt: inMilliseconds(options.delayMs),
      ...(options.failed ? { failures: sql`${orders.failures} + 1` } : {}),
    })
    .where(heldBy(lease));
}

export function heldBy(lease: Lease) {
  return and(
    eq(orders.id, lease.orderId),
    eq(orders.leaseToken, lease.token),
    eq(orders.isComplete, false),
  );
}

/** A moment from now by the database's clock. */
export function inMilliseconds(delayMs: number) {
  return sql<Date>`now() + ${Math.round(delayMs)} * interval '1 millisecond'`;
}

/** When a lease taken now ends. */
export function leaseEnd() {
  return sql<Date>`now() + ${LEASE_SECONDS} * interval '1 second'`;
}
