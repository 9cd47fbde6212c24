import { and, eq, gt, inArray, ne, or, sql } from 'drizzle-orm';
import { MICROS } from '#lib/money.ts';
import { type OutcomeSide, outcomeTokenId } from '#lib/outcomeToken.ts';
import type { Backing } from '#server/chain/operations/encode.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { orders } from '#server/platform/database/schema/orders.ts';
import { restsSql } from './orderRow.ts';

/** Rounded down, so that the vault never refuses the purchase itself; `div` keeps it exact. */
const price = sql`div(${orders.quoteUsdcMicros}::numeric * ${MICROS.toString()}::numeric,
  ${orders.filledContractMicros})`;

/** Of an order that is delivered in parts and ends early, the house keeps the rest. */
const boughtFor = sql`case when ${orders.stage} = 'refund' then ${orders.deliveredContractMicros}
  else ${orders.filledContractMicros} end`;

/**
 * An order that is delivered in parts has several prices: none of its parts costs less than its
 * cheapest fill.
 */
const floorOf = sql`case when not ${restsSql('orders')} then ${price}
  when ${orders.filledContractMicros} > coalesce(${orders.deliveredContractMicros}, 0) then
    (select min(f.price_micros) from exchange_fills f where f.order_id = ${orders.id}) end`;

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
      bought: sql<string>`sum(${boughtFor})`,
      floor: sql<string | null>`min(${floorOf}) filter (where not ${orders.isComplete})`,
    })
    .from(orders)
    .where(
      and(
        inArray(orders.ticker, tickers),
        eq(orders.tradeAction, 'buy'),
        gt(orders.filledContractMicros, 0n),
        or(ne(orders.stage, 'refund'), gt(orders.deliveredContractMicros, 0n)),
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
