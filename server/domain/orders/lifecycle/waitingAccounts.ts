import { and, eq, inArray } from 'drizzle-orm';
import type { Address } from 'viem';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { orders } from '#server/platform/database/schema/orders.ts';

/** Orders that rest or wait for a price under a permission, which its owner may revoke meanwhile. */
const isWaiting = and(
  eq(orders.isComplete, false),
  eq(orders.kind, 'api'),
  inArray(orders.stage, ['rest', 'trigger']),
);

export async function listWaitingAccounts(db: Queryable): Promise<Address[]> {
  const { accountId } = orders;
  const rows = await db.selectDistinct({ accountId }).from(orders).where(isWaiting);
  return rows.map((row) => row.accountId as Address);
}

/** The orders of these accounts that wait or rest. */
export async function listWaitingOf(
  db: Queryable,
  accounts: readonly Address[],
): Promise<string[]> {
  if (accounts.length === 0) return [];
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(isOneOf(orders.accountId, accounts), isWaiting));
  return rows.map((row) => row.id);
}
