import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Hex, keccak256 } from 'viem';
import type { Queryable } from '../../platform/database/client.ts';
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

/** As it was signed first, just now. */
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
 * Says that a transaction can never be mined, its nonce being taken; false when that was said
 * before or it has been mined after all.
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
