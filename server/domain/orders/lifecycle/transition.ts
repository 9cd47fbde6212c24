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
  type orders,
} from '#server/platform/database/schema/orders.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { balanced, type LedgerPosting } from '../../ledger/ledger.ts';
import { applyTransitions, type PendingTransition } from './applyTransitions.ts';
import { type Lease, LeaseLostError, type OrderRow } from './lease.ts';
import type { TerminationReason } from './terminationReasons.ts';

export type NewEvent = {
  type: string;
  detail?: string | undefined;
  transactionHash?: string | undefined;
  /** What the intent's status was with it, where the same transition goes on to another. */
  status?: OrderStatus | undefined;
};

/** What a step may write on the intent's row. */
export type OrderChanges = Partial<
  Pick<
    typeof orders.$inferInsert,
    | 'status'
    | 'stage'
    | 'terminationReason'
    | 'endingReason'
    | 'isComplete'
    | 'roomReservedAt'
    | 'isUnwinding'
    | 'transactionHash'
    | 'filledContractMicros'
    | 'quoteUsdcMicros'
    | 'feeUsdcMicros'
    | 'returnedUsdcMicros'
    | 'returnedContractMicros'
  >
>;

type AttemptRow = typeof exchangeAttempts.$inferInsert;

/** The exchange is about to be asked, or was asked before the database can remember. */
export type NewAttempt = Pick<
  AttemptRow,
  'clientOrderId' | 'attempt' | 'limitPriceMicros' | 'contractMicros' | 'state'
> &
  Partial<
    Pick<AttemptRow, 'purpose' | 'code' | 'exchangeOrderId' | 'filledContractMicros' | 'storedAt'>
  >;

/** What became of an attempt, or that it is stored anew; applied only while it stands as it was seen. */
export type RecordedAttempt = Pick<AttemptRow, 'clientOrderId' | 'state'> & {
  from: AttemptRow['state'];
} & Partial<Pick<AttemptRow, 'purpose' | 'code' | 'exchangeOrderId' | 'filledContractMicros'>>;

/** One step of an intent's life: everything that changes with it, applied together or not at all. */
export type Transition = {
  /** The stage the decision was made for; applied only while that still stands. */
  from: OrderStage;
  /** The step hands the funds over: not after the user has been told that the order is cancelled. */
  unlessCancelled?: boolean;
  set?: OrderChanges;
  /** Stamped with the database's clock at the moment of the transition. */
  stamp?: ('balanceValidatedAt' | 'txnFilledAt' | 'completedAt')[];
  events?: NewEvent[];
  operations?: NewOperation[];
  postings?: LedgerPosting[];
  attempt?: NewAttempt;
  response?: RecordedAttempt;
  /**
   * Booked as fills of the attempt of this client order id, on the order's own side of the trade
   * unless told; known ones are left as they are.
   */
  fills?: (ExchangeFill & { clientOrderId: string; tradeAction?: TradeAction })[];
  /** Anything else, in the same transaction. */
  write?: (tx: Queryable) => Promise<void>;
  /** `park` gives the lease back; something, or the time, will wake the intent. */
  next: { kind: 'continue' } | { kind: 'park'; delayMs: number } | { kind: 'end' };
};

const groupsOf = memoizeByObject((database: Database) =>
  batched<PendingTransition, OrderRow>((pending) => writeTogether(database, pending), {
    underWay: 1,
  }),
);

/**
 * Applies a transition under the lease, and returns the row as it is afterwards. Transitions of
 * different orders that come at the same moment are written together; none can spoil another.
 * @param seenDueAt `nextRunAt` of the row that the step has seen: should the intent have been woken
 *   since, it is not parked but due at once
 * @throws {LeaseLostError} when another process holds the intent or it has moved on
 */
export async function applyTransition(
  database: Database,
  lease: Lease,
  transition: Transition,
  seenDueAt?: Date,
): Promise<OrderRow> {
  const postings = transition.postings?.map((posting) => ({
    ...posting,
    lines: balanced(posting.lines),
  }));
  const balancedTransition = { ...transition, ...(postings && { postings }) };
  const pending = { lease, transition: balancedTransition, seenDueAt };
  const order = transition.write
    ? await writeWithMore(database, pending, transition.write)
    : ((await groupsOf(database)(pending)) ?? (await writeAlone(database.orm, pending)));
  if (!order) throw new LeaseLostError(lease.orderId);
  return order;
}

/** What kept it from being written with others concerns it alone here: a lock, or a mistake. */
async function writeAlone(
  db: Queryable,
  pending: PendingTransition,
): Promise<OrderRow | undefined> {
  return (await applyTransitions(db, [pending])).get(pending);
}

async function writeWithMore(
  database: Database,
  pending: PendingTransition,
  write: NonNullable<Transition['write']>,
): Promise<OrderRow | undefined> {
  return await database.orm.transaction(async (tx) => {
    const order = await writeAlone(tx, pending);
    if (order) await write(tx);
    return order;
  });
}

/** Waits for no other transaction: rows that one is writing to, or that cannot be written, are left out. */
async function writeTogether(
  { orm }: Database,
  pending: readonly PendingTransition[],
): Promise<Map<PendingTransition, OrderRow>> {
  return await applyTransitions(orm, pending, { leaveLocked: true }).catch(() => new Map());
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
      status: event.status ?? order.status,
      type: event.type,
      detail: event.detail ?? null,
      transactionHash: event.transactionHash ?? null,
      at: sql`now()`,
    })),
  );
}

/** The transition that ends an intent without success. */
export function endFailed(
  from: OrderStage,
  reason: TerminationReason,
  more: Pick<Transition, 'set' | 'postings' | 'events'> = {},
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
    postings: more.postings ?? [],
    events: [...(more.events ?? []), { type: 'failed', detail: reason }],
    next: { kind: 'end' },
  };
}
