import { and, inArray, lte, sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { markets } from '#server/platform/database/schema/markets.ts';
import { recordMarketChanges } from '../catalogue/changes/noteChanges.ts';
import { invalidateListingHashes } from './listingHashes.ts';

/**
 * Markets of which the exchange knows nothing any more, neither in its list nor in its archive: past
 * their close nobody trades them, whatever was said of them last. How they paid stays to be learned.
 * Answers the events of those that were closed.
 */
export async function closeUnlisted(
  database: Database,
  tickers: readonly string[],
): Promise<string[]> {
  if (tickers.length === 0) return [];
  const closed = await database.orm.transaction(async (tx) => {
    const rows = await tx
      .update(markets)
      // Should it be listed again as it was, that is something new.
      .set({ status: 'closed', contentHash: null })
      .where(
        and(
          isOneOf(markets.ticker, tickers),
          inArray(markets.status, ['open', 'paused']),
          lte(markets.closeAt, sql`now()`),
        ),
      )
      .returning({ ticker: markets.ticker, eventTicker: markets.eventTicker });
    const events = [...new Set(rows.map((row) => row.eventTicker))];
    await invalidateListingHashes(tx, events);
    return { events, tickers: rows.map((row) => row.ticker) };
  });
  if (closed.tickers.length > 0) await recordMarketChanges(database.orm, closed.tickers);
  return closed.events;
}
