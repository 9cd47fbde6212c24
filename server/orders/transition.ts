import { and, eq, isNull, sql } from 'drizzle-orm';
import { addOperations, type NewOperation } from '../chain/operations/store.ts';
import type { Database, Queryable } from '../db/client.ts';
import { type IntentStage, orderEvents, orders } from '../db/schema/orders.ts';
import { type LedgerLeg, postLeg } from '../ledger/ledger.ts';
import {
  heldBy,
  inMilliseconds,
  type Lease,
  LeaseLostError,
  leaseEnd,
  type OrderRow,
} from './lease.ts';
import type { TerminationReason } from './terminationReasons.ts';

export type NewEvent = {
  type: string;
  detail?: string | undefined;
  transactionHash?: string | undefined;
};

/** One step of an intent's life: everything that changes with it, applied together or not at all. */
export type Transition = {
  /** The stage the decision was made for; applied only while that still stands. */
  from: IntentStage;
  /** The step hands the funds over: not after the user has been told that the order is cancelled. */
  unlessCancelled?: boolean;
  set?: Partial<typeof orders.$inferInsert>;
  /** Stamped with the database's clock at the moment of the transition. */
  stamp?: ('balanceValidatedAt' | 'txnFilledAt' | 'completedAt')[];
  events?: NewEvent[];
  operations?: NewOperation[];
  legs?: LedgerLeg[];
  write?: (tx: Queryable) => Promise<void>;
  /** `park` gives the lease back; something, or the time, will wake the intent. */
  next: { kind: 'continue' } | { kind: 'park'; delayMs: number } | { kind: 'end' };
};

/** Nothing changed and nothing can be done for now; keep the lease and look again shortly. */
export type Pause = { pauseMs: number };

/**
 * Applies a transition under the lease. Answers the row as it is afterwards.
 * @throws {LeaseLostError} when another process holds the intent or it has moved on
 */
export async function applyTransition(
  database: Database,
  lease: Lease,
  transition: Transition,
): Promise<OrderRow> {
  return await database.orm.transaction(async (tx) => {
    const [order] = await tx
      .update(orders)
      .set({ ...transition.set, ...stamps(transition), updatedAt: sql`now()`, failures: 0 })
      .where(
        and(
          heldBy(lease),
          eq(orders.stage, transition.from),
          transition.unlessCancelled ? isNull(orders.cancelRequestedAt) : undefined,
        ),
      )
      .returning();
    if (!order) throw new LeaseLostError(lease.orderId);
    await appendEvents(tx, order, transition.events ?? []);
    await addOperations(tx, order, transition.operations ?? []);
    for (const leg of transition.legs ?? []) await postLeg(tx, order, leg);
    await transition.write?.(tx);
    return order;
  });
}

/** Appends to the intent's log, in order. */
export async function appendEvents(
  db: Queryable,
  order: Pick<OrderRow, 'id' | 'accountId' | 'status'>,
  events: NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await db.insert(orderEvents).values(
    events.map((event) => ({
      accountId: order.accountId,
      orderId: order.id,
      status: order.status,
      type: event.type,
      detail: event.detail ?? null,
      transactionHash: event.transactionHash ?? null,
      at: sql`now()`,
    })),
  );
}

/** The transition that ends an intent without success. */
export function endFailed(
  from: IntentStage,
  reason: TerminationReason,
  more: Pick<Transition, 'set' | 'legs' | 'events'> = {},
): Transition {
  return {
    from,
    set: {
      ...more.set,
      status: 'failed',
      stage: 'done',
      isComplete: true,
      terminationReason: reason,
    },
    stamp: ['completedAt'],
    legs: more.legs ?? [],
    events: [...(more.events ?? []), { type: 'failed', detail: reason }],
    next: { kind: 'end' },
  };
}

function stamps(transition: Transition) {
  const stamped = Object.fromEntries((transition.stamp ?? []).map((name) => [name, sql`now()`]));
  if (transition.next.kind === 'continue') return { ...stamped, leaseUntil: leaseEnd() };
  const delayMs = transition.next.kind === 'park' ? transition.next.delayMs : 0;
  return { ...stamped, leaseToken: null, leaseUntil: null, nextRunAt: inMilliseconds(delayMs) };
}
