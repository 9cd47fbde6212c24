import { desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';
import {
  apiKeys,
  apiKeyUsage,
  sessions,
  signInNonces,
} from '../../platform/database/schema/auth.ts';

/** The stored data of a wallet's keys and sign-ins, without credentials. */
export async function exportAuthData(db: Queryable, owner: string) {
  const keys = await db.select().from(apiKeys).where(eq(apiKeys.ownerAddress, owner));
  const usage = await db
    .select()
    .from(apiKeyUsage)
    .where(
      inArray(
        apiKeyUsage.apiKeyId,
        keys.map(({ id }) => id),
      ),
    )
    .orderBy(desc(apiKeyUsage.day));
  const signIns = await db
    .select()
    .from(sessions)
    .where(eq(sessions.ownerAddress, owner))
    .orderBy(desc(sessions.createdAt));
  return {
    apiKeys: keys.map(({ hash: _hash, previousHash: _previous, ...key }) => key),
    apiKeyUsage: usage,
    sessions: signIns.map(
      ({ refreshHash: _hash, previousRefreshHash: _previous, refreshSalt: _salt, ...one }) => one,
    ),
  };
}

/**
 * Revokes a wallet's access and deletes its names and IP addresses. The ids of keys remain, because
 * orders refer to them.
 */
export async function eraseAuthData(db: Queryable, owner: string): Promise<void> {
  await db
    .delete(apiKeyUsage)
    .where(
      inArray(
        apiKeyUsage.apiKeyId,
        db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.ownerAddress, owner)),
      ),
    );
  await db
    .update(apiKeys)
    .set({
      name: 'erased',
      hint: 'erased',
      ownerAddress: null,
      origins: [],
      ipRanges: [],
      previousHash: null,
      previousUntil: null,
      revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())`,
    })
    .where(eq(apiKeys.ownerAddress, owner));
  await db.delete(sessions).where(eq(sessions.ownerAddress, owner));
  await db.delete(signInNonces).where(eq(signInNonces.address, owner));
}

/**
 * Deletes sign-ins and sign-in messages that expired long ago. @returns the number of deleted rows
 */
export async function deleteOldSignIns(db: Queryable, days: number): Promise<number> {
  const before = sql`now() - ${days} * interval '1 day'`;
  const gone = await db.delete(sessions).where(lt(sessions.expiresAt, before));
  const nonces = await db
    .delete(signInNonces)
    .where(lt(signInNonces.expiresAt, sql`now() - interval '1 day'`));
  return (gone.rowCount ?? 0) + (nonces.rowCount ?? 0);
}
