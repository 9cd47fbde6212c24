import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import type { Address, Hex } from 'viem';
import type { AccountGrant, AccountState } from '../../chain/accountReads.ts';
import { batched } from '../../platform/database/batched.ts';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { isOneOf } from '../../platform/database/isOneOf.ts';
import { grants } from '../../platform/database/schema/accounts.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';

/** A permission that the owner signed and that the chain may not know yet. */
export type RecordedGrant = {
  grant: AccountGrant;
  signature: Hex;
  status: 'recorded' | 'relayed';
};

/** The newest grant that the owner of this smart account signed. */
export async function getRecordedGrant(
  deps: { database: Database },
  accountId: string,
): Promise<RecordedGrant | undefined> {
  const row = await newestOf(deps.database)(accountId);
  if (!row) return undefined;
  return {
    grant: {
      operator: row.operator as Address,
      validUntil: row.validUntil,
      withdrawAnywhere: row.withdrawAnywhere,
      maxPerOrder: row.maxPerOrderUsdcMicros,
      maxPerDay: row.maxPerDayUsdcMicros,
      maxWithdrawPerDay: row.maxWithdrawPerDayUsdcMicros,
      nonce: row.nonce,
    },
    signature: row.signature as Hex,
    status: row.status,
  };
}

/** The permission that counts: one that the chain has not seen yet is newer than the one it holds. */
export function currentGrant(
  state: Omit<AccountState, 'deployed'>,
  recorded: RecordedGrant | undefined,
): { grant: AccountGrant; isOnChain: boolean } | undefined {
  if (recorded && recorded.grant.nonce === state.nextGrantNonce) {
    return { grant: recorded.grant, isOnChain: false };
  }
  return state.grant && { grant: state.grant, isOnChain: true };
}

/** Accounts that are asked about at the same moment are one statement. */
const newestOf = memoizeByObject(({ orm }: Database) =>
  batched<string, typeof grants.$inferSelect>(async (accountIds) => {
    const rows = await orm
      .selectDistinctOn([grants.accountId])
      .from(grants)
      .where(isOneOf(grants.accountId, accountIds))
      .orderBy(asc(grants.accountId), desc(grants.nonce));
    return new Map(rows.map((row) => [row.accountId, row]));
  }),
);

/** Accounts whose owners permitted the service to trade, since a while or ever. */
export async function listGrantedAccounts(
  db: Queryable,
  query: { withinSeconds?: number },
): Promise<string[]> {
  const { withinSeconds } = query;
  const rows = await db
    .selectDistinct({ accountId: grants.accountId })
    .from(grants)
    .where(
      withinSeconds === undefined
        ? undefined
        : gt(grants.createdAt, sql`now() - ${withinSeconds} * interval '1 second'`),
    );
  return rows.map((row) => row.accountId);
}

/** Notes that the chain has taken a recorded grant. Safe to repeat. */
export async function markGrantRelayed(
  deps: { database: Database },
  accountId: string,
  nonce: bigint,
): Promise<void> {
  await relayedOf(deps.database)(`${accountId} ${nonce}`);
}

/** Many intents of an account may say so at once; one statement is enough. */
const relayedOf = memoizeByObject(({ orm }: Database) =>
  batched<string, void>(async (taken) => {
    await orm
      .update(grants)
      .set({ status: 'relayed', relayedAt: new Date() })
      .where(
        and(
          sql`${grants.accountId} || ' ' || ${grants.nonce} = any(${sql.param(taken)}::text[])`,
          isOneOf(
            grants.accountId,
            taken.map((one) => one.split(' ')[0] ?? ''),
          ),
          eq(grants.status, 'recorded'),
        ),
      );
    return new Map();
  }),
);

/**
 * The chain may have forgotten these accounts' grants: each is compared with the account again
 * before its next order. Without accounts all are.
 */
export async function revertGrants(tx: Queryable, accountIds?: readonly string[]): Promise<void> {
  await tx
    .update(grants)
    .set({ status: 'recorded', relayedAt: null })
    .where(and(eq(grants.status, 'relayed'), accountIds && isOneOf(grants.accountId, accountIds)));
}

/**
 * Stores a signed grant. One that has the same nonce and is not yet on chain is replaced: the
 * owner changed their mind before it was needed. Answers whether it was stored.
 */
export async function storeGrant(
  deps: { database: Database },
  accountId: string,
  grant: AccountGrant,
  signature: Hex,
): Promise<boolean> {
  const terms = {
    operator: grant.operator,
    validUntil: grant.validUntil,
    withdrawAnywhere: grant.withdrawAnywhere,
    maxPerOrderUsdcMicros: grant.maxPerOrder,
    maxPerDayUsdcMicros: grant.maxPerDay,
    maxWithdrawPerDayUsdcMicros: grant.maxWithdrawPerDay,
    signature,
  };
  const stored = await deps.database.orm
    .insert(grants)
    .values({ accountId, nonce: grant.nonce, status: 'recorded', ...terms })
    .onConflictDoUpdate({
      target: [grants.accountId, grants.nonce],
      set: { ...terms, createdAt: new Date() },
      setWhere: eq(grants.status, 'recorded'),
    })
    .returning({ nonce: grants.nonce });
  return stored.length > 0;
}
