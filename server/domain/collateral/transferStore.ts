import { randomUUID } from 'node:crypto';
import { and, desc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { exchangeTransfers } from '#server/platform/database/schema/collateral.ts';
import { distinctAmount, type ShardPair, type WantedTransfer } from './decideTransfers.ts';

export type StoredTransfer = typeof exchangeTransfers.$inferSelect;
type State = StoredTransfer['state'];

/** A failed pair rests for this long, so that a refusal is not repeated at once. */
const REST_SECONDS = 15;
/** Amounts are distinct among the transfers of a pair for this long. */
const DISTINCT_HOURS = 24;

/**
 * Stores a transfer that is about to be sent. Undefined when another one of the pair is open.
 */
export async function storeTransfer(
  db: Queryable,
  { source, destination, amountMicros }: WantedTransfer,
): Promise<StoredTransfer | undefined> {
  const recent = await db
    .select({ amountMicros: exchangeTransfers.amountMicros })
    .from(exchangeTransfers)
    .where(
      and(
        ofPair({ source, destination }),
        gt(exchangeTransfers.storedAt, sql`now() - ${DISTINCT_HOURS} * interval '1 hour'`),
      ),
    );
  const taken = new Set(recent.map((one) => one.amountMicros));
  const [stored] = await db
    .insert(exchangeTransfers)
    .values({
      id: randomUUID(),
      source,
      destination,
      amountMicros: distinctAmount(amountMicros, taken),
      state: 'stored',
      storedAt: sql`now()`,
    })
    .onConflictDoNothing()
    .returning();
  return stored;
}

/** Records what became of a transfer; does nothing when its state has changed meanwhile. */
export async function recordTransfer(
  db: Queryable,
  { id, state: from }: Pick<StoredTransfer, 'id' | 'state'>,
  change: { state: State; code?: string; exchangeTransferId?: string },
): Promise<void> {
  const isOver = change.state === 'complete' || change.state === 'failed';
  await db
    .update(exchangeTransfers)
    .set({ ...change, ...(isOver && { endedAt: sql`now()` }) })
    .where(and(eq(exchangeTransfers.id, id), eq(exchangeTransfers.state, from)));
}

/** Whether a stored transfer may still be sent: nothing has looked it up, and it is recent. */
export async function isTransferSendable(
  db: Queryable,
  { id }: Pick<StoredTransfer, 'id'>,
  withinMs: number,
): Promise<boolean> {
  const rows = await db
    .select({ id: exchangeTransfers.id })
    .from(exchangeTransfers)
    .where(
      and(
        eq(exchangeTransfers.id, id),
        eq(exchangeTransfers.state, 'stored'),
        gt(exchangeTransfers.storedAt, sql`now() - ${withinMs} * interval '1 millisecond'`),
      ),
    );
  return rows.length > 0;
}

export async function listOpenTransfers(db: Queryable): Promise<StoredTransfer[]> {
  return await db.select().from(exchangeTransfers).where(isNull(exchangeTransfers.endedAt));
}

export async function listRestingPairs(db: Queryable): Promise<ShardPair[]> {
  const { source, destination, endedAt, state } = exchangeTransfers;
  return await db
    .select({ source, destination })
    .from(exchangeTransfers)
    .where(
      and(eq(state, 'failed'), gt(endedAt, sql`now() - ${REST_SECONDS} * interval '1 second'`)),
    );
}

/** The exchange's ids of all transfers of a pair that are known to be ours. */
export async function listKnownIds(db: Queryable, pair: ShardPair): Promise<Set<string>> {
  const rows = await db
    .select({ id: exchangeTransfers.exchangeTransferId })
    .from(exchangeTransfers)
    .where(and(ofPair(pair), isNotNull(exchangeTransfers.exchangeTransferId)));
  return new Set(rows.flatMap(({ id }) => id ?? []));
}

/** When a transfer last changed a balance, as far as is known. */
export async function readLastChange(db: Queryable): Promise<Date | undefined> {
  const [last] = await db
    .select({ endedAt: exchangeTransfers.endedAt })
    .from(exchangeTransfers)
    .where(eq(exchangeTransfers.state, 'complete'))
    .orderBy(desc(exchangeTransfers.storedAt))
    .limit(1);
  return last?.endedAt ?? undefined;
}

/** Cash that may be on no shard now: it has left one and not reached the other. */
export async function readCashInTransit(db: Queryable): Promise<bigint> {
  const [row] = await db
    .select({ micros: sql<string>`coalesce(sum(${exchangeTransfers.amountMicros}), 0)` })
    .from(exchangeTransfers)
    .where(inArray(exchangeTransfers.state, ['stored', 'unknown', 'pending']));
  return BigInt(row?.micros ?? 0);
}

function ofPair({ source, destination }: ShardPair) {
  return and(eq(exchangeTransfers.source, source), eq(exchangeTransfers.destination, destination));
}
