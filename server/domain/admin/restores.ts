import { randomUUID } from 'node:crypto';
import { desc, sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { databaseRestores } from '#server/platform/database/schema/admin.ts';
import { recordAudit } from './audit.ts';

/** A key with transactions on chain that the database lacks. */
export type DeletedTransactions = { signer: string; chainNonce: number; storedNonce: bigint };

/**
 * Records that the database was restored to an earlier moment. Transactions are stored before they
 * are sent, so unknown ones on chain prove it (or a foreign use of the key, where a recovery is
 * harmless).
 */
export async function recordRestore(db: Queryable, dropped: DeletedTransactions[]): Promise<void> {
  const how = dropped
    .map((one) => `${one.signer}: ${one.chainNonce} sent, ${one.storedNonce} known`)
    .join('; ');
  const [latest] = await db
    .select()
    .from(databaseRestores)
    .orderBy(desc(databaseRestores.noticedAt))
    .limit(1);
  if (latest?.how === how) return;
  await db.insert(databaseRestores).values({ id: randomUUID(), noticedAt: sql`now()`, how });
  const entry = { actor: 'service', action: 'notice_restore', subject: 'database', reason: how };
  await recordAudit({ database: { orm: db } }, entry);
}

/** When a restore was last detected; undefined if never. */
export async function findLatestRestore(db: Queryable): Promise<Date | undefined> {
  const [latest] = await db
    .select({ noticedAt: databaseRestores.noticedAt })
    .from(databaseRestores)
    .orderBy(desc(databaseRestores.noticedAt))
    .limit(1);
  return latest?.noticedAt;
}
