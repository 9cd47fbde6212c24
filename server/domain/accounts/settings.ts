import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Address } from 'viem';
import type { AccountSettings } from '#lib/api/schemas/account.ts';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { accounts, grants } from '../../platform/database/schema/accounts.ts';
import { sessionKeys } from '../../platform/database/schema/sessionKeys.ts';
import {
  type AccountDeps,
  type AccountIdentity,
  resolveAccount,
  storeAccount,
} from './accounts.ts';

/** The account owner's settings, or the defaults. */
export async function readSettings(
  deps: AccountDeps,
  userAddress: string,
): Promise<AccountSettings> {
  const { account } = await resolveAccount(deps, userAddress);
  const [row] = await deps.database.orm
    .select({ autoRedeem: accounts.autoRedeem })
    .from(accounts)
    .where(eq(accounts.id, account))
    .limit(1);
  return { autoRedeem: row?.autoRedeem ?? true };
}

/** Replaces the settings of the signed-in wallet's account. */
export async function writeSettings(
  deps: AccountDeps,
  owner: string,
  settings: AccountSettings,
): Promise<AccountSettings> {
  const identity = await resolveAccount(deps, owner);
  await storeAccount(deps, identity);
  const { account } = identity;
  await deps.database.orm.update(accounts).set(settings).where(eq(accounts.id, account));
  return settings;
}

/** The smart accounts among these whose owner has enabled automatic redemption. */
export async function listAutoRedeeming(
  deps: { database: Database },
  addresses: readonly string[],
): Promise<AccountIdentity[]> {
  if (addresses.length === 0) return [];
  const rows = await deps.database.orm
    .select({ account: accounts.id, owner: accounts.ownerAddress })
    .from(accounts)
    .where(and(inArray(accounts.id, [...addresses]), eq(accounts.autoRedeem, true)));
  return rows.map((row) => ({ account: row.account as Address, owner: row.owner as Address }));
}

/** The stored data of a wallet's smart account, its grants and the devices that sign under them. */
export async function exportAccountData(db: Queryable, owner: string) {
  const own = await db.select().from(accounts).where(eq(accounts.ownerAddress, owner));
  const ids = own.map((account) => account.id);
  const signed =
    ids.length === 0 ? [] : await db.select().from(grants).where(inArray(grants.accountId, ids));
  const keys =
    ids.length === 0
      ? []
      : await db.select().from(sessionKeys).where(inArray(sessionKeys.accountId, ids));
  return {
    accounts: own,
    sessionKeys: keys,
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

/** Resets settings to their defaults and forgets devices. Data on chain remains. */
export async function eraseAccountData(db: Queryable, owner: string): Promise<void> {
  await db
    .update(accounts)
    .set({ autoRedeem: sql`default` })
    .where(eq(accounts.ownerAddress, owner));
  const own = db.select({ id: accounts.id }).from(accounts).where(eq(accounts.ownerAddress, owner));
  await db.delete(sessionKeys).where(inArray(sessionKeys.accountId, own));
}
