import { and, inArray, lte, sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { markets } from '#server/platform/database/schema/markets.ts';
import { recordMarketChanges } from '../catalogue/changes/noteChanges.ts';
import { invalidateListingHashes } from './listingHashes.ts';

/**
 * Closes markets past their close time that the exchange neither lists nor archives: they do not
 * trade, regardless of their last listing. Their payout remains open. Returns the events of the
 * closed markets.
 */
export async function closeUnlisted(
  database: Database,
  tickers: readonly string[],
): Promise<string[]> {
  if (tickers.length === 0) return [];
  const closed = await database.orm.transaction(async (tx) => {
    const rows = await tx
      .update(markets)
      // Without the hash, an identical later listing counts as new.
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
