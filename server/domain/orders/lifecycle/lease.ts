import { randomUUID } from 'node:crypto';
import { and, eq, inArray, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { batched } from '#server/platform/database/batched.ts';
import type { Database } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import type { OrderRow } from './orderRow.ts';

/** One process's right to change an order until a time on the database's clock. */
export type Lease = { orderId: string; token: string };

/** How soon another processor takes over from a dead one. Holders renew well before. */
export const LEASE_SECONDS = 4;

const LEASE_RENEWAL_MS = 1_000;

/** Another process has taken the order over; pending writes must be discarded. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor(orderId: string) {
    super(`the lease on intent ${orderId} was lost`);
  }
}

export type Claimed = { lease: Lease; order: OrderRow };

/** One request for a lease; two requests for the same order never both succeed. */
type Wish = { orderId: string };

const isDue = lte(orders.nextRunAt, sql`now()`);

const dueClaimsOf = memoizeByObject((database: Database) =>
  batched<Wish, Claimed>((wishes) => claimOrders(database, wishes, isDue), { underWay: 1 }),
);

/** An order has work left until it is complete and nothing of it is unwinding. */
const isOpen = or(eq(orders.isComplete, false), orders.isUnwinding);

export async function claimOrder(
  database: Database,
  orderId: string,
): Promise<Claimed | undefined> {
  const wish = { orderId };
  return (await claimOrders(database, [wish])).get(wish);
}

/** Claims the order if it is due; concurrent claims share a statement. */
export async function claimDueOrder(
  database: Database,
  orderId: string,
): Promise<Claimed | undefined> {
  return await dueClaimsOf(database)({ orderId });
}

/** Rows that another transaction has locked are skipped, not waited for. */
async function claimOrders(
  { orm }: Database,
  wishes: readonly Wish[],
  condition?: SQL,
): Promise<Map<Wish, Claimed>> {
  const token = randomUUID();
  const ids = wishes.map((wish) => wish.orderId);
  const free = orm
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        isOneOf(orders.id, ids),
        isOpen,
        or(isNull(orders.leaseUntil), lt(orders.leaseUntil, sql`now()`)),
        condition,
      ),
    )
    .for('update', { skipLocked: true });
  const rows = await orm
    .update(orders)
    .set({ leaseToken: token, leaseUntil: leaseEnd() })
    .where(inArray(orders.id, free))
    .returning();
  return new Map(
    rows.flatMap((order) => {
      const first = wishes.find((wish) => wish.orderId === order.id);
      return first ? [[first, { lease: { orderId: order.id, token }, order }]] : [];
    }),
  );
}

/** Extends the lease. @throws {LeaseLostError} */
export async function renewLease(database: Database, lease: Lease): Promise<OrderRow> {
  const [order] = await database.orm
    .update(orders)
    .set({ leaseUntil: leaseEnd() })
    .where(heldBy(lease))
    .returning();
  if (!order) throw new LeaseLostError(lease.orderId);
  return order;
}

/** Renews the lease until the returned function is called. */
export function maintainLease(database: Database, lease: Lease): () => void {
  return keeperOf(database)(lease);
}

/** One statement a second renews all leases of this process. */
const keeperOf = memoizeByObject((database: Database) => {
  const kept = new Set<Lease>();
  let timer: NodeJS.Timeout | undefined;
  return (lease: Lease) => {
    kept.add(lease);
    timer ??= setInterval(() => {
      // A lease that was not renewed fails the next write.
      renewLeases(database, [...kept]).catch(() => undefined);
    }, LEASE_RENEWAL_MS);
    return () => {
      kept.delete(lease);
      if (kept.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
});

async function renewLeases({ orm }: Database, leases: readonly Lease[]): Promise<void> {
  const ids = leases.map((lease) => lease.orderId);
  const tokens = new Set(leases.map((lease) => lease.token));
  const held = orm
    .select({ id: orders.id })
    .from(orders)
    .where(and(isOneOf(orders.id, ids), isOneOf(orders.leaseToken, [...tokens]), isOpen))
    .for('update', { skipLocked: true });
  await orm.update(orders).set({ leaseUntil: leaseEnd() }).where(inArray(orders.id, held));
}

/** Releases the order, due again after `delayMs`. A lost lease is not an error. */
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
      nextRunAt: sql`now() + ${Math.round(options.delayMs)} * interval '1 millisecond'`,
      ...(options.failed ? { failures: sql`${orders.failures} + 1` } : {}),
    })
    .where(heldBy(lease));
}

function heldBy(lease: Lease) {
  return and(eq(orders.id, lease.orderId), eq(orders.leaseToken, lease.token), isOpen);
}

export function leaseEnd() {
  return sql<Date>`now() + ${LEASE_SECONDS} * interval '1 second'`;
}
