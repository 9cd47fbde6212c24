import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Address, type Hex, keccak256 } from 'viem';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { chainReplacements, chainTransactions } from '../../platform/database/schema/chain.ts';
import type { ChainTransaction } from './store.ts';

/** One signed form of a transaction; all forms share nonce and call and differ in their fees. */
export type TransactionVersion = { hash: Hex; raw: Hex; ageMs: number };

/** Every version that may have been broadcast, oldest first. At most one can ever be mined. */
export async function listVersions(
  db: Queryable,
  transaction: ChainTransaction,
): Promise<[TransactionVersion, ...TransactionVersion[]]> {
  const rows = await db
    .select({
      firstAgeMs: ageOf(chainTransactions.signedAt),
      hash: chainReplacements.hash,
      raw: chainReplacements.raw,
      ageMs: ageOf(chainReplacements.signedAt),
    })
    .from(chainTransactions)
    .leftJoin(chainReplacements, eq(chainReplacements.transactionId, chainTransactions.id))
    .where(eq(chainTransactions.id, transaction.id))
    .orderBy(chainReplacements.signedAt);
  const later = rows.flatMap(({ hash, raw, ageMs }) =>
    hash === null || raw === null ? [] : [{ hash: hash as Hex, raw: raw as Hex, ageMs }],
  );
  return [{ ...firstVersionOf(transaction), ageMs: rows[0]?.firstAgeMs ?? 0 }, ...later];
}

/** The version that was just signed first. */
export function firstVersionOf({ hash, raw }: ChainTransaction): TransactionVersion {
  return { hash: hash as Hex, raw: raw as Hex, ageMs: 0 };
}

function ageOf(column: typeof chainReplacements.signedAt | typeof chainTransactions.signedAt) {
  return sql<number>`(extract(epoch from now() - ${column}) * 1000)::float8`;
}

/** Stores another version of a transaction. Must come before it is broadcast. */
export async function storeReplacement(
  db: Queryable,
  transaction: ChainTransaction,
  raw: Hex,
): Promise<void> {
  await db
    .insert(chainReplacements)
    .values({ hash: keccak256(raw), transactionId: transaction.id, raw, signedAt: sql`now()` });
}

/**
 * Records that a transaction can never be mined, because its nonce was used. @returns false if that
 * was recorded before, or it was mined after all
 */
export async function markSuperseded(
  tx: Queryable,
  transaction: ChainTransaction,
  doneByHash: Hex | undefined,
): Promise<boolean> {
  const marked = await tx
    .update(chainTransactions)
    .set({ state: 'superseded', minedHash: doneByHash ?? null })
    .where(
      and(
        eq(chainTransactions.id, transaction.id),
        inArray(chainTransactions.state, ['signed', 'lost']),
      ),
    )
    .returning({ id: chainTransactions.id });
  return marked.length === 1;
}

/** A key without a holder for this long counts as abandoned. */
const ABANDONED_SECONDS = 15;

/**
 * Keys outside `ours` with an unfinished transaction that no process tracks: keys that were removed
 * from the configuration.
 */
export async function listAbandonedSigners(
  database: Database,
  ours: readonly Address[],
): Promise<Address[]> {
  const response = await database.orm.execute<{ signer: Address }>(sql`
    select distinct t.signer from chain_transactions t
    left join chain_signers s on s.address = t.signer
    where t.state in ('signed', 'lost')
      and not (t.signer = any(${sql.param([...ours])}::text[]))
      and t.signed_at < now() - ${ABANDONED_SECONDS} * interval '1 second'
      and coalesce(s.lease_until < now() - ${ABANDONED_SECONDS} * interval '1 second', true)`);
  return response.rows.map(({ signer }) => signer);
}

/** Operations without a transaction. */
export type OperationLoad = { kind: string; open: number; oldestSeconds: number };

export async function readOperationLoad(db: Queryable): Promise<OperationLoad[]> {
  const { rows } = await db.execute<OperationLoad>(sql`
    select kind, count(*)::int as open,
      greatest(0, extract(epoch from now() - min(created_at)))::float8 as "oldestSeconds"
    from chain_operations where state = 'ready' group by kind`);
  return rows;
}

/** Transactions that are signed and not confirmed, and the age of the oldest in seconds. */
export async function readTransactionsInFlight(
  db: Queryable,
): Promise<{ open: number; oldestSeconds: number }> {
  const { rows } = await db.execute<{ open: number; oldest: number }>(sql`
    select count(*)::int as open,
      greatest(0, coalesce(extract(epoch from now() - min(signed_at)), 0))::float8 as oldest
    from chain_transactions where state in ('signed', 'lost')`);
  const [row] = rows;
  return { open: row?.open ?? 0, oldestSeconds: row?.oldest ?? 0 };
}
