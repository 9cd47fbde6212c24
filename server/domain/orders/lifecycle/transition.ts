import { sql } from 'drizzle-orm';
import type { NewOperation } from '#server/chain/operations/store.ts';
import type { ExchangeFill, TradeAction } from '#server/exchange/port.ts';
import { batched } from '#server/platform/database/batched.ts';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import {
  type exchangeAttempts,
  type OrderStage,
  type OrderStatus,
  orderEvents,
} from '#server/platform/database/schema/orders.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { balanced, type LedgerPosting } from '../../ledger/ledger.ts';
import { applyTransitions, type OrderChanges, type PendingTransition } from './applyTransitions.ts';
import { type Lease, LeaseLostError } from './lease.ts';
import type { OrderRow } from './orderRow.ts';
import type { TerminationReason } from './terminationReasons.ts';

export type NewEvent = {
  type: string;
  detail?: string | undefined;
  transactionHash?: string | undefined;
  /** The order's status at this event, when the same transition changes it further. */
  status?: OrderStatus | undefined;
  /** Of one part of an order that is delivered in parts. */
  contractMicros?: bigint | undefined;
  quoteUsdcMicros?: bigint | undefined;
  feeUsdcMicros?: bigint | undefined;
};

type AttemptRow = typeof exchangeAttempts.$inferInsert;

/** The attempt is about to be sent, or was sent before a restore lost it. */
export type NewAttempt = Omit<AttemptRow, 'accountId' | 'orderId' | 'respondedAt' | 'storedAt'> &
  Partial<Pick<AttemptRow, 'storedAt'>>;

/** An attempt's outcome, or its being stored again; applied only if its state is still `from`. */
export type RecordedAttempt = Pick<AttemptRow, 'clientOrderId' | 'state'> & {
  from: AttemptRow['state'];
} & Partial<Pick<AttemptRow, 'purpose' | 'code' | 'exchangeOrderId' | 'filledContractMicros'>>;

/** A decided change of an order, applied atomically. */
export type Transition = {
  /** The stage of the decision; applied only while the order is still at it. */
  from: OrderStage;
  /** The step releases the funds, so it must not run after the user saw the order cancelled. */
  unlessCancelled?: boolean;
  set?: OrderChanges;
  /** Stamped with the database's clock at the transition. */
  stamp?: (
    | 'balanceValidatedAt'
    | 'txnFilledAt'
    | 'completedAt'
    | 'restingSince'
    | 'amendStoredAt'
    | 'priceClaimedAt'
    | 'triggeredAt'
  )[];
  events?: NewEvent[];
  operations?: NewOperation[];
  postings?: LedgerPosting[];
  attempt?: NewAttempt;
  response?: RecordedAttempt;
  /**
   * Recorded as fills of the attempt with this client order id, on the order's own side of the
   * trade by default; existing fills stay unchanged.
   */
  fills?: (ExchangeFill & { clientOrderId: string; tradeAction?: TradeAction })[];
  write?: (tx: Queryable) => Promise<void>;
  /** `park` releases the lease; an event or the delay wakes the order. */
  next: { kind: 'continue' } | { kind: 'park'; delayMs: number } | { kind: 'end' };
};

const groupsOf = memoizeByObject((database: Database) =>
  batched<PendingTransition, OrderRow>((pending) => writeTogether(database, pending), {
    underWay: 1,
  }),
);

/**
 * Applies a transition under the lease and returns the updated row. Concurrent transitions of
 * different orders share a statement; a failing one does not affect the others.
 * @param seenDueAt `nextRunAt` of the row that the step read: an order woken since then is due at
 *   once instead of parked
 * @throws {LeaseLostError} when another process holds the order or it has moved on
 */
export async function applyTransition(
  database: Database,
  lease: Lease,
  transition: Transition,
  seenDueAt?: Date,
): Promise<OrderRow> {
  const { write } = transition;
  const postings = transition.postings?.map(({ name, lines }) => ({
    name,
    lines: balanced(lines),
  }));
  const pending = {
    lease,
    transition: { ...transition, ...(postings && { postings }) },
    seenDueAt,
  };
  const order = write
    ? await database.orm.transaction(async (tx) => {
        const written = await writeAlone(tx, pending);
        if (written) await write(tx);
        return written;
      })
    : ((await groupsOf(database)(pending)) ?? (await writeAlone(database.orm, pending)));
  if (!order) throw new LeaseLostError(lease.orderId);
  return order;
}

/** Retries alone what failed in a batch: a lock or an error here concerns this order only. */
async function writeAlone(
  db: Queryable,
  pending: PendingTransition,
): Promise<OrderRow | undefined> {
  return (await applyTransitions(db, [pending])).get(pending);
}

/** Does not wait for locks: skips rows that are locked or cannot be written. */
async function writeTogether(
  { orm }: Database,
  pending: readonly PendingTransition[],
): Promise<Map<PendingTransition, OrderRow>> {
  return await applyTransitions(orm, pending, { leaveLocked: true }).catch(() => new Map());
}

/**
 * Appends to the order's log, in the order given. Sequence numbers are assigned before the commit,
 * so readers of the log may see a higher one first.
 */
export async function appendEvents(
  db: Queryable,
  order: Pick<OrderRow, 'id' | 'accountId' | 'status'>,
  events: NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const { id: orderId, accountId } = order;
  await db.insert(orderEvents).values(
    events.map((event) => {
      const status = event.status ?? order.status;
      return { ...event, accountId, orderId, status, at: sql`now()` };
    }),
  );
}

export function endFailed(
  from: OrderStage,
  reason: TerminationReason,
  more: Pick<Transition, 'set' | 'postings' | 'events'> = {},
): Transition {
  const ended = { status: 'failed', stage: 'done', isComplete: true } as const;
  return {
    from,
    set: { ...more.set, ...ended, terminationReason: reason },
    stamp: ['completedAt'],
    postings: more.postings ?? [],
    events: [...(more.events ?? []), { type: 'failed', detail: reason }],
    next: { kind: 'end' },
  };
}
