import { eq, inArray } from 'drizzle-orm';
import type { Queryable } from '../../platform/database/client.ts';
import { accounts, grants } from '../../platform/database/schema/accounts.ts';

/** The stored data of a wallet's smart account and its grants. */
export async function exportAccountData(db: Queryable, owner: string) {
  const own = await db.select().from(accounts).where(eq(accounts.ownerAddress, owner));
  const ids = own.map((account) => account.id);
  const signed =
    ids.length === 0 ? [] : await db.select().from(grants).where(inArray(grants.accountId, ids));
  return {
    accounts: own,
    grants: signed.map((grant) => ({
      ...grant,
      nonce: grant.nonce.toString(),
      validUntil: grant.validUntil.toString(),
      maxPerOrderUsdcMicros: grant.maxPerOrderUsdcMicros.toString(),
      maxPerDayUsdcMicros: grant.maxPerDayUsdcMicros.toString(),
      maxWithdrawPerDayUsdcMicros: grant.maxWithdrawPerDayUsdcMicros.toString(),
    })),
  };
}

/** Deletes settings. Data on chain remains. */
export async function eraseAccountData(db: Queryable, owner: string): Promise<void> {
  await db.update(accounts).set({ autoRedeem: false }).where(eq(accounts.ownerAddress, owner));
}
