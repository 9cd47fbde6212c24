import { randomUUID } from 'node:crypto';
import { desc, sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { databaseRestores } from '#server/platform/database/schema/admin.ts';
import { recordAudit } from './audit.ts';

/** A key whose transactions the chain knows and the database does not. */
export type DeletedTransactions = { signer: string; chainNonce: number; storedNonce: bigint };

/**
 * Notes that the database has forgotten what it once knew: it was put back to an earlier moment.
 * Transactions are stored before they are sent, so a chain that knows more can mean nothing else
 * (but a key that somebody else used, where looking things up does no harm).
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

/** When it was last noticed that the database had been put back; undefined when it never was. */
export async function findLatestRestore(db: Queryable): Promise<Date | undefined> {
  const [latest] = await db
    .select({ noticedAt: databaseRestores.noticedAt })
    .from(databaseRestores)
    .orderBy(desc(databaseRestores.noticedAt))
    .limit(1);
  return latest?.noticedAt;
}
