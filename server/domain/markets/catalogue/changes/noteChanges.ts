import { sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { marketChanges } from '#server/platform/database/schema/markets.ts';

/** More at once are not named: whoever keeps answers forgets them all. */
const MOST_NAMED = 2_000;

/**
 * Tells the processes that keep answers about markets which of them were written. It is said after
 * the writing, or with it; what is lost with a process in between is caught by the age of what they
 * keep.
 * @param tickers of the markets; none when lists changed and no single market did
 */
export async function recordMarketChanges(
  db: Queryable,
  tickers: readonly string[] = [],
): Promise<void> {
  const named = tickers.length > 0 && tickers.length <= MOST_NAMED ? [...tickers] : null;
  await db.insert(marketChanges).values({ tickers: named });
}

/** Forgets what every process has read long ago. */
export async function deleteMarketChanges(database: Database): Promise<void> {
  await database.orm
    .delete(marketChanges)
    .where(sql`${marketChanges.at} < now() - interval '5 minutes'`);
}
