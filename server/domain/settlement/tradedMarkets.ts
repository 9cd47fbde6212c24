import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { exchangeFills, orders } from '#server/platform/database/schema/orders.ts';

/** Markets in which the exchange has filled orders of ours. */
export async function listTradedTickers(db: Queryable): Promise<string[]> {
  const rows = await db.selectDistinct({ ticker: exchangeFills.ticker }).from(exchangeFills);
  return rows.map((row) => row.ticker);
}

/**
 * Orders of a market that the exchange may have filled and that are neither delivered nor traded
 * back.
 */
export async function countUndelivered(db: Queryable, ticker: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<string>`count(*)` })
    .from(orders)
    .where(
      and(
        eq(orders.ticker, ticker),
        or(
          and(eq(orders.isComplete, false), inArray(orders.stage, ['place', 'deliver'])),
          orders.isUnwinding,
        ),
      ),
    );
  return Number(row?.count ?? 0);
}

/**
 * The service's position in a market by its fills, per side: the exchange reports only the
 * difference of the two.
 */
export async function readExchangeHoldings(
  db: Queryable,
  ticker: string,
): Promise<{ yesContractMicros: bigint; noContractMicros: bigint }> {
  const rows = await db
    .select({
      side: exchangeFills.side,
      contractMicros: sql<string>`sum(case when ${exchangeFills.tradeAction} = 'buy'
        then ${exchangeFills.contractMicros} else -${exchangeFills.contractMicros} end)`,
    })
    .from(exchangeFills)
    .where(eq(exchangeFills.ticker, ticker))
    .groupBy(exchangeFills.side);
  const of = (side: 'yes' | 'no') =>
    BigInt(rows.find((row) => row.side === side)?.contractMicros ?? 0);
  return { yesContractMicros: of('yes'), noContractMicros: of('no') };
}
