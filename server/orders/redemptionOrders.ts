import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Queryable } from '../db/client.ts';
import { orders } from '../db/schema/orders.ts';

/** Transactions that redemptions of one outcome of an account have been credited with. */
export async function listRedemptionTransactions(
  db: Queryable,
  query: { accountId: string; ticker: string; side: OutcomeSide },
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
      ),
    );
  return rows.flatMap((row) => row.transactionHash ?? []);
}

/** Of these accounts' outcomes, those that a redemption is under way for, as `ticker|side`. */
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
      ),
    );
  return new Set(rows.map((row) => `${row.ticker}|${row.side}`));
}
