import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import type { Address, Hex } from 'viem';
import type { AccountGrant, AccountState } from '../../chain/accountReads.ts';
import { batched } from '../../platform/database/batched.ts';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { isOneOf } from '../../platform/database/isOneOf.ts';
import { grants } from '../../platform/database/schema/accounts.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';

/** A grant that the owner signed and that may not be on chain yet. */
export type RecordedGrant = {
  grant: AccountGrant;
  signature: Hex;
  status: 'recorded' | 'relayed';
  /** When the service received it. */
  signedAt: Date;
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
      keyKind: row.keyKind,
      key: row.key as Hex,
    },
    signature: row.signature as Hex,
    status: row.status,
    signedAt: row.createdAt,
  };
}

/** The grant in force: one that is not on chain yet is newer than the account's. */
export function currentGrant(
  state: Omit<AccountState, 'deployed'>,
  recorded: RecordedGrant | undefined,
): { grant: AccountGrant; isOnChain: boolean } | undefined {
  if (recorded && recorded.grant.nonce === state.nextGrantNonce) {
    return { grant: recorded.grant, isOnChain: false };
  }
  return state.grant && { grant: state.grant, isOnChain: true };
}

/** Concurrent reads of accounts share a statement. */
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

/** Accounts whose owners have ever, or recently, granted trading. */
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

/** Records that the chain has accepted a grant. Idempotent. */
export async function markGrantRelayed(
  deps: { database: Database },
  accountId: string,
  nonce: bigint,
): Promise<void> {
  await relayedOf(deps.database)(`${accountId} ${nonce}`);
}

/** Many orders of an account may report it at once; one statement is enough. */
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
 * A fork may have removed these accounts' grants: each is compared with the account again before
 * its next order. Without accounts all are.
 */
export async function revertGrants(tx: Queryable, accountIds?: readonly string[]): Promise<void> {
  await tx
    .update(grants)
    .set({ status: 'recorded', relayedAt: null })
    .where(and(eq(grants.status, 'relayed'), accountIds && isOneOf(grants.accountId, accountIds)));
}

/**
 * Stores a signed grant. Replaces one with the same nonce that is not yet on chain: the owner
 * signed again before it was needed. Returns whether it was stored.
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
    keyKind: grant.keyKind,
    key: grant.key,
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
