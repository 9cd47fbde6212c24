import { inArray } from 'drizzle-orm';
import type { Queryable } from '../db/client.ts';
import { tokenTransfers, vaultEvents } from '../db/schema/chain.ts';
import type { NewTokenTransfer, NewVaultEvent } from './vaultLogs.ts';

/** What has been read so far of some transactions: a node may keep part of it back for a while. */
export async function listStoredLogs(
  db: Queryable,
  transactionHashes: readonly string[],
): Promise<{ tokens: NewTokenTransfer[]; events: NewVaultEvent[] }> {
  if (transactionHashes.length === 0) return { tokens: [], events: [] };
  const hashes = [...transactionHashes];
  const [tokens, events] = [
    await db.select().from(tokenTransfers).where(inArray(tokenTransfers.transactionHash, hashes)),
    await db.select().from(vaultEvents).where(inArray(vaultEvents.transactionHash, hashes)),
  ];
  return { tokens, events };
}
