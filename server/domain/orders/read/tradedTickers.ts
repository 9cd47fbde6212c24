import { and, eq, gt, inArray } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { orders } from '#server/platform/database/schema/orders.ts';

/** By owner, the subset of these markets in which the owner's orders were filled. */
export async function listTraders(
  db: Queryable,
  tickers: readonly string[],
): Promise<Map<string, Set<string>>> {
  if (tickers.length === 0) return new Map();
  const rows = await db
    .selectDistinct({ owner: orders.ownerAddress, ticker: orders.ticker })
    .from(orders)
    .where(and(inArray(orders.ticker, [...tickers]), gt(orders.filledContractMicros, 0n)));
  const traders = new Map<string, Set<string>>();
  for (const { owner, ticker } of rows) {
    if (ticker === null) continue;
    traders.set(owner, (traders.get(owner) ?? new Set()).add(ticker));
  }
  return traders;
}

/** The subset of these markets in which a key's or a wallet's orders were filled. */
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
