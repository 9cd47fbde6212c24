import { randomUUID } from 'node:crypto';
import { and, asc, count, desc, eq, gte, inArray, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { Address, Hex } from 'viem';
import type { Queryable } from '../../platform/database/client.ts';
import { isOneOf } from '../../platform/database/isOneOf.ts';
import { chainOperations, chainTransactions } from '../../platform/database/schema/chain.ts';

export type ChainOperation = typeof chainOperations.$inferSelect;
export type ChainTransaction = typeof chainTransactions.$inferSelect;
export type OperationKind = ChainOperation['kind'];

/** The stored failure of operations that were withdrawn before they were sent. */
export const NO_LONGER_NEEDED = 'no_longer_needed';

/**
 * A fill is queued together with its attestation, if it needs one, and must not be sent before the
 * attestation is on chain. Other ready operations are free.
 */
export const IS_FREE = sql`(kind <> 'fill' or coalesce((
  select bool_and(a.state in ('succeeded', 'failed')) and bool_or(a.state = 'succeeded')
  from chain_operations a
  where a.order_id = chain_operations.order_id and a.kind = 'attest'), true))`;

/** The transaction that this signer must finish before it signs another. */
export async function findUnfinished(
  db: Queryable,
  signer: Address,
): Promise<ChainTransaction | undefined> {
  const [transaction] = await db
    .select()
    .from(chainTransactions)
    .where(
      and(
        eq(chainTransactions.signer, signer),
        inArray(chainTransactions.state, ['signed', 'lost']),
      ),
    )
    .orderBy(asc(chainTransactions.nonce))
    .limit(1);
  return transaction;
}

/** The nonce after the highest this service has ever used with a key. */
export async function nextStoredNonce(db: Queryable, signer: Address): Promise<bigint> {
  const [last] = await db
    .select({ nonce: chainTransactions.nonce })
    .from(chainTransactions)
    .where(eq(chainTransactions.signer, signer))
    .orderBy(desc(chainTransactions.nonce))
    .limit(1);
  return last ? last.nonce + 1n : 0n;
}

/** How many of these nonces of a key this service has used: from `from`, below `to`. */
export async function countStoredNonces(
  db: Queryable,
  signer: Address,
  { from, to }: { from: bigint; to: bigint },
): Promise<bigint> {
  const [row] = await db
    .select({ used: count() })
    .from(chainTransactions)
    .where(
      and(
        eq(chainTransactions.signer, signer),
        gte(chainTransactions.nonce, from),
        lt(chainTransactions.nonce, to),
        ne(chainTransactions.state, 'superseded'),
      ),
    );
  return BigInt(row?.used ?? 0);
}

/**
 * Locks ready operations of one kind, oldest first, for the rest of the caller's transaction. Kinds
 * are served by their oldest operation, except the one served last, so that under load started
 * orders are still finished.
 */
export async function lockReadyOperations(
  tx: Queryable,
  options: {
    kinds: readonly OperationKind[];
    batchSizeOf: (kind: OperationKind) => number;
    servedLast?: OperationKind | undefined;
  },
): Promise<ChainOperation[]> {
  const { kinds, batchSizeOf, servedLast } = options;
  const due = and(
    eq(chainOperations.state, 'ready'),
    inArray(chainOperations.kind, [...kinds]),
    sql`${chainOperations.createdAt} + coalesce((${chainOperations.args}->>'notBeforeMs')::int, 0) * interval '1 millisecond' <= now()`,
    IS_FREE,
  );
  const [oldest] = await tx
    .select()
    .from(chainOperations)
    .where(due)
    .orderBy(sql`${chainOperations.kind} = ${servedLast ?? ''}`, asc(chainOperations.createdAt))
    .limit(1)
    .for('update', { skipLocked: true });
  if (!oldest) return [];
  const rest = batchSizeOf(oldest.kind) - 1;
  if (rest === 0) return [oldest];
  const more = await tx
    .select()
    .from(chainOperations)
    .where(
      and(due, eq(chainOperations.kind, oldest.kind), sql`${chainOperations.id} <> ${oldest.id}`),
    )
    .orderBy(asc(chainOperations.createdAt))
    .limit(rest)
    .for('update', { skipLocked: true });
  return [oldest, ...more];
}

export type NewOperation = { kind: OperationKind; attempt: number; args: unknown };

/**
 * Queues operations for the signers; the same attempt of the same kind twice is one operation.
 * `subject` is their target: an order, or a market's settlement.
 */
export async function addOperations(
  tx: Queryable,
  subject: { id: string; accountId: string },
  operations: readonly NewOperation[],
): Promise<void> {
  if (operations.length === 0) return;
  await tx
    .insert(chainOperations)
    .values(
      operations.map((operation) => ({
        id: randomUUID(),
        accountId: subject.accountId,
        orderId: subject.id,
        ...operation,
        state: 'ready' as const,
        createdAt: sql`now()`,
      })),
    )
    .onConflictDoNothing();
}

/**
 * The statement that queues operations of many orders, for use within a larger one.
 * @param orders a relation with the columns n, id and account_id
 * @param operations a JSON array of new operations, each with an `id` and the `n` of its order
 */
export function operationsInsert(orders: SQL, operations: SQL): SQL {
  return sql`insert into chain_operations
      (id, account_id, order_id, kind, attempt, args, state, created_at)
    select o.id, i.account_id, i.id, o.kind, o.attempt, o.args, 'ready', now()
    from jsonb_to_recordset(${operations}) as o (n int, id uuid, kind text, attempt int, args jsonb)
    join ${orders} i on i.n = o.n
    on conflict do nothing`;
}

/** Stores a signed transaction with its operations. Must come before any broadcast. */
export async function storeSigned(
  tx: Queryable,
  signed: { signer: Address; nonce: bigint; raw: Hex; hash: Hex },
  operations: readonly ChainOperation[],
): Promise<ChainTransaction> {
  const id = randomUUID();
  const insert = tx
    .insert(chainTransactions)
    .values({ id, ...signed, state: 'signed', signedAt: sql`now()` })
    .returning();
  const tie = tx
    .update(chainOperations)
    .set({ state: 'sent', transactionId: id })
    .where(
      isOneOf(
        chainOperations.id,
        operations.map(({ id }) => id),
      ),
    );
  const [[transaction]] = await Promise.all([insert, tie]);
  if (!transaction) throw new Error('the signed transaction was not stored');
  return transaction;
}

/** The orders among these with a fill in flight or queued. */
export async function listBeingFilled(
  tx: Queryable,
  orderIds: readonly string[],
): Promise<string[]> {
  if (orderIds.length === 0) return [];
  const fills = await tx
    .select({ orderId: chainOperations.orderId })
    .from(chainOperations)
    .where(
      and(
        isOneOf(chainOperations.orderId, orderIds),
        eq(chainOperations.kind, 'fill'),
        inArray(chainOperations.state, ['ready', 'sent']),
      ),
    );
  return fills.map((fill) => fill.orderId);
}

/** Withdraws an operation that no transaction carries yet. */
export async function withdrawReady(
  tx: Queryable,
  orderId: string,
  kind: 'fill' | 'refund',
): Promise<void> {
  await tx
    .update(chainOperations)
    .set({ state: 'failed', failure: NO_LONGER_NEEDED, resolvedAt: sql`now()` })
    .where(
      and(
        eq(chainOperations.orderId, orderId),
        eq(chainOperations.kind, kind),
        eq(chainOperations.state, 'ready'),
      ),
    );
}

/** The operations of a transaction. */
export async function listOperationsOf(
  db: Queryable,
  transactionId: string,
): Promise<ChainOperation[]> {
  return await db
    .select()
    .from(chainOperations)
    .where(eq(chainOperations.transactionId, transactionId));
}
