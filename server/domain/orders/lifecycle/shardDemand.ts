import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { exchangeAttempts, orders } from '#server/platform/database/schema/orders.ts';

/** How far back purchases count as the flow of orders. */
const RECENT_MINUTES = 5;

/**
 * Spending limits of the purchases that the exchange is about to get, by market. An order counts
 * once its input is locked: before that, anyone may ask for any amount.
 */
export async function readOpenPurchases(db: Queryable): Promise<Map<string, bigint>> {
  const rows = await db
    .select({ ticker: orders.ticker, micros: sql<string>`sum(${orders.quoteLimitUsdcMicros})` })
    .from(orders)
    .where(
      and(sql`not ${orders.isComplete}`, eq(orders.stage, 'place'), eq(orders.tradeAction, 'buy')),
    )
    .groupBy(orders.ticker);
  return new Map(
    rows.flatMap(({ ticker, micros }) => (ticker === null ? [] : [[ticker, BigInt(micros)]])),
  );
}

/** What was bought lately, by shard. */
export async function readRecentPurchases(db: Queryable): Promise<Map<number, bigint>> {
  const spent = sql<string>`coalesce(sum(${exchangeAttempts.filledContractMicros}::numeric
    * ${exchangeAttempts.limitPriceMicros} / 1000000), 0)::bigint`;
  const rows = await db
    .select({ shard: exchangeAttempts.shard, micros: spent })
    .from(exchangeAttempts)
    .innerJoin(orders, eq(orders.id, exchangeAttempts.orderId))
    .where(
      and(
        sql`${exchangeAttempts.storedAt} > now() - ${RECENT_MINUTES} * interval '1 minute'`,
        eq(exchangeAttempts.state, 'done'),
        eq(exchangeAttempts.purpose, 'order'),
        eq(orders.tradeAction, 'buy'),
      ),
    )
    .groupBy(exchangeAttempts.shard);
  return new Map(rows.map(({ shard, micros }) => [shard, BigInt(micros)]));
}
