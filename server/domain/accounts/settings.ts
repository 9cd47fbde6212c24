import { and, eq, inArray } from 'drizzle-orm';
import type { Address } from 'viem';
import type { AccountSettings } from '#lib/api/schemas/account.ts';
import type { Database } from '../../platform/database/client.ts';
import { accounts } from '../../platform/database/schema/accounts.ts';
import type { AccountDeps, AccountIdentity } from './accounts.ts';
import { resolveAccount, storeAccount } from './accounts.ts';

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
  return { autoRedeem: row?.autoRedeem ?? false };
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
