import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { markets } from '../db/schema/markets.ts';

/** Which of these markets the mirror knows as settled. The exchange has the last word. */
export async function listSettledAmong(
  deps: { database: Database },
  tickers: readonly string[],
): Promise<string[]> {
  if (tickers.length === 0) return [];
  const rows = await deps.database.orm
    .select({ ticker: markets.ticker })
    .from(markets)
    .where(and(inArray(markets.ticker, [...tickers]), eq(markets.status, 'settled')));
  return rows.map((row) => row.ticker);
}
