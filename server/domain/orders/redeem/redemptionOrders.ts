import { and, asc, eq, getTableColumns, inArray, isNotNull, not } from 'drizzle-orm';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { isUnclaimed } from '#server/platform/database/schema/unclaimedOrder.ts';
import type { OrderRow } from '../lifecycle/orderRow.ts';
import { type Viewer, visibleTo } from '../read/readOrders.ts';

/**
 * Transactions already credited to redemptions of one outcome of an account. An order created
 * without a token never takes a credit from the owner's own.
 */
export async function listRedemptionTransactions(
  db: Queryable,
  query: { accountId: string; ticker: string; side: OutcomeSide; withoutToken: boolean },
): Promise<string[]> {
  const rows = await db
    .select({ transactionHash: orders.transactionHash })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, query.accountId),
        eq(orders.ticker, query.ticker),
        eq(orders.side, query.side),
        eq(orders.isRedemption, true),
        isNotNull(orders.transactionHash),
        query.withoutToken ? undefined : eq(orders.withoutToken, false),
      ),
    );
  return rows.flatMap((row) => row.transactionHash ?? []);
}

/** The outcomes of these accounts with a redemption in progress, as `ticker|side`. */
export async function listOpenRedemptions(
  db: Queryable,
  accountId: string,
  tickers: readonly string[],
): Promise<Set<string>> {
  if (tickers.length === 0) return new Set();
  const rows = await db
    .select({ ticker: orders.ticker, side: orders.side })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        inArray(orders.ticker, [...tickers]),
        eq(orders.isRedemption, true),
        eq(orders.isComplete, false),
        not(isUnclaimed()),
      ),
    );
  return new Set(rows.map((row) => `${row.ticker}|${row.side}`));
}

const { id, ticker, side, contractMicros, transactionHash } = getTableColumns(orders);
const redemptionColumns = { id, ticker, side, contractMicros, transactionHash };

export type RedemptionOrder = Pick<OrderRow, keyof typeof redemptionColumns>;

/** Orders of an account that the viewer may see and that these transactions redeemed. */
export async function listRedemptionOrders(
  db: Queryable,
  viewer: Viewer,
  query: { accountId: string; transactionHashes: readonly string[] },
): Promise<RedemptionOrder[]> {
  if (query.transactionHashes.length === 0) return [];
  return await db
    .select(redemptionColumns)
    .from(orders)
    .where(
      and(
        eq(orders.accountId, query.accountId),
        inArray(orders.transactionHash, [...query.transactionHashes]),
        eq(orders.isRedemption, true),
        eq(orders.status, 'completed'),
        visibleTo(viewer),
      ),
    )
    .orderBy(asc(orders.withoutToken));
}
