import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { MICROS } from '#lib/money.ts';
import { type OutcomeSide, outcomeTokenId } from '#lib/outcomeToken.ts';
import type { Backing } from '#server/chain/operations/encode.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { orders } from '#server/platform/database/schema/orders.ts';

/** Rounded down, so that the vault never refuses the purchase itself; `div` keeps it exact. */
const price = sql`div(${orders.quoteUsdcMicros}::numeric * ${MICROS.toString()}::numeric,
  ${orders.filledContractMicros})`;

/**
 * Reads what backs each outcome token: every purchase for orders that were or will be delivered. A
 * purchase too late for its order belongs to the house and backs nothing. The vault counts minted
 * tokens itself, so sales do not matter here.
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
      // A contract pays at most a dollar, so minting at a dollar dilutes no holder.
      floorMicros: floor < MICROS ? floor : MICROS,
    };
  });
}
