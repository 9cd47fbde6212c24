import { sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { marketChanges } from '#server/platform/database/schema/markets.ts';

/** More changes at once are not listed: every cache is cleared instead. */
const MOST_NAMED = 2_000;

/**
 * Notifies processes that cache responses which markets were written. Runs with the write or after
 * it; if the process dies in between, the cache's maximum age covers the loss.
 * @param tickers of the markets; empty when lists changed but no single market did
 */
export async function recordMarketChanges(
  db: Queryable,
  tickers: readonly string[] = [],
): Promise<void> {
  const named = tickers.length > 0 && tickers.length <= MOST_NAMED ? [...tickers] : null;
  await db.insert(marketChanges).values({ tickers: named });
}

/** Deletes changes that every process has long read. */
export async function deleteMarketChanges(database: Database): Promise<void> {
  await database.orm
    .delete(marketChanges)
    .where(sql`${marketChanges.at} < now() - interval '5 minutes'`);
}
