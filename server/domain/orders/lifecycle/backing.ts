import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { MICROS } from '#lib/money.ts';
import { type OutcomeSide, outcomeTokenId } from '#lib/outcomeToken.ts';
import type { Backing } from '#server/chain/operations/encode.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { orders } from '#server/platform/database/schema/orders.ts';

/** Rounded down, so that the purchase itself is never refused; `div` keeps it exact. */
const price = sql`div(${orders.quoteUsdcMicros}::numeric * ${MICROS.toString()}::numeric,
  ${orders.filledContractMicros})`;

/**
 * What stands behind each outcome token: everything bought for orders that was delivered or is
 * still to be. A purchase that came too late for its order is the house's, and backs nothing. The
 * vault counts for itself what was minted, so sales are of no interest here.
 */
export async function readBackings(
  db: Queryable,
  outcomes: { ticker: string; side: OutcomeSide }[],
): Promise<Backing[]> {
  const tickers = [...new Set(outcomes.map((outcome) => outcome.ticker))];
  const purchases = await db
    .select({
      ticker: orders.ticker,
      side: orders.side,
      bought: sql<string>`sum(${orders.filledContractMicros})`,
      floor: sql<string | null>`min(${price}) filter (where not ${orders.isComplete})`,
    })
    .from(orders)
    .where(
      and(
        inArray(orders.ticker, tickers),
        eq(orders.tradeAction, 'buy'),
        gt(orders.filledContractMicros, 0n),
        ne(orders.stage, 'refund'),
        ne(orders.status, 'failed'),
      ),
    )
    .groupBy(orders.ticker, orders.side);
  const wanted = new Map(outcomes.map((outcome) => [`${outcome.ticker}|${outcome.side}`, outcome]));
  return [...wanted.entries()].map(([key, outcome]) => {
    const sum = purchases.find((row) => `${row.ticker}|${row.side}` === key);
    const floor = BigInt(sum?.floor ?? MICROS);
    return {
      tokenId: outcomeTokenId(outcome.ticker, outcome.side),
      boughtContractMicros: BigInt(sum?.bought ?? 0),
      // A contract pays a dollar at most, so a mint at a dollar takes nothing from anyone.
      floorMicros: floor < MICROS ? floor : MICROS,
    };
  });
}
