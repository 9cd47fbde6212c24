import type { Queryable } from '../platform/database/client.ts';
import { isOneOf } from '../platform/database/isOneOf.ts';
import { tokenTransfers, vaultEvents } from '../platform/database/schema/chain.ts';
import type { NewTokenTransfer, NewVaultEvent } from './vaultLogs.ts';

/** What has been read so far of some transactions: a node may keep part of it back for a while. */
export async function listStoredLogs(
  db: Queryable,
  transactionHashes: readonly string[],
): Promise<{ tokens: NewTokenTransfer[]; events: NewVaultEvent[] }> {
  if (transactionHashes.length === 0) return { tokens: [], events: [] };
  const [tokens, events] = await Promise.all([
    db
      .select()
      .from(tokenTransfers)
      .where(isOneOf(tokenTransfers.transactionHash, transactionHashes)),
    db.select().from(vaultEvents).where(isOneOf(vaultEvents.transactionHash, transactionHashes)),
  ]);
  return { tokens, events };
}
