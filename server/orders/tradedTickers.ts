import { and, eq, gt, inArray } from 'drizzle-orm';
import type { Queryable } from '../db/client.ts';
import { orders } from '../db/schema/orders.ts';

/** Those of the markets in which a key's or a wallet's orders have been filled. */
export async function filterTraded(
  db: Queryable,
  trader: { apiKeyId: string } | { ownerAddress: string },
  tickers: readonly string[],
): Promise<string[]> {
  if (tickers.length === 0) return [];
  const rows = await db
    .selectDistinct({ ticker: orders.ticker })
    .from(orders)
    .where(
      and(
        'apiKeyId' in trader
          ? eq(orders.apiKeyId, trader.apiKeyId)
          : eq(orders.ownerAddress, trader.ownerAddress),
        inArray(orders.ticker, [...tickers]),
        gt(orders.filledContractMicros, 0n),
      ),
    );
  return rows.flatMap(({ ticker }) => ticker ?? []);
}
