import { inArray, sql } from 'drizzle-orm';
import { type OutcomeSide, outcomeTokenId } from '#lib/outcomeToken.ts';
import type { Queryable } from '../db/client.ts';
import { orders, venueFills } from '../db/schema/orders.ts';

/** Asked of sales only: there are many purchases, and their orders say nothing about them. */
const isOrderComplete = sql`(select o.is_complete from ${orders} o
  where o.id = venue_fills.order_id)`;

/**
 * What stands behind each outcome token: all contracts bought for users at the exchange, less
 * those sold. A sale counts once its tokens are burnt; until then its proceeds stand in for them.
 */
export async function readBackings(
  db: Queryable,
  outcomes: { ticker: string; side: OutcomeSide }[],
): Promise<{ tokenId: bigint; contractMicros: bigint }[]> {
  const tickers = [...new Set(outcomes.map((outcome) => outcome.ticker))];
  const sums = await db
    .select({
      ticker: venueFills.ticker,
      side: venueFills.side,
      contractMicros: sql<string>`sum(case
        when ${venueFills.tradeAction} = 'buy' then ${venueFills.contractMicros}
        when ${isOrderComplete} then -${venueFills.contractMicros}
        else 0 end)`,
    })
    .from(venueFills)
    .where(inArray(venueFills.ticker, tickers))
    .groupBy(venueFills.ticker, venueFills.side);
  const wanted = new Map(outcomes.map((outcome) => [`${outcome.ticker}|${outcome.side}`, outcome]));
  return [...wanted.entries()].map(([key, outcome]) => {
    const sum = sums.find((row) => `${row.ticker}|${row.side}` === key);
    return {
      tokenId: outcomeTokenId(outcome.ticker, outcome.side),
      contractMicros: BigInt(sum?.contractMicros ?? 0),
    };
  });
}
