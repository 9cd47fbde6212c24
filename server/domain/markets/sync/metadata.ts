import { eq, sql } from 'drizzle-orm';
import type { EventDisplayStyle } from '#server/exchange/catalogue.ts';
import type { Database } from '#server/platform/database/client.ts';
import { events, markets } from '#server/platform/database/schema/markets.ts';
import { recordMarketChanges } from '../catalogue/changes/noteChanges.ts';
import { displayStyleOf, withMetadata } from './displayStyle.ts';
import type { SyncDeps } from './tasks.ts';

const READ_AGAIN_AFTER_DAYS = 7;

/**
 * Reads the display styles of a few events that lack them, most traded first. One request per event
 * spreads the load. Returns how many were read.
 */
export async function syncMetadata(deps: SyncDeps, count: number): Promise<number> {
  const { rows } = await deps.database.orm.execute<{
    ticker: string;
    series_ticker: string;
    category: string;
  }>(sql`
    select ticker, series_ticker, category from events
    where active_market_count > 0 and (metadata_read_at is null
      or metadata_read_at < now() - ${READ_AGAIN_AFTER_DAYS} * interval '1 day')
    order by volume_24h_contract_micros desc nulls last, ticker limit ${count}`);
  for (const event of rows) {
    if (deps.signal.aborted) break;
    const style = await deps.catalogue.getEventDisplayStyles(event.ticker);
    await saveDisplayStyles(deps.database, event, style ?? {});
  }
  return rows.length;
}

async function saveDisplayStyles(
  database: Database,
  event: { ticker: string; series_ticker: string; category: string },
  metadata: EventDisplayStyle,
): Promise<void> {
  const usual = displayStyleOf(event.category, event.series_ticker);
  await database.orm
    .update(events)
    .set({
      metadata,
      metadataReadAt: sql`now()`,
      contentHash: null,
      listingHash: null,
      ...withMetadata(usual, metadata),
    })
    .where(eq(events.ticker, event.ticker));
  if (!metadata.imageUrl && !metadata.markets) return;
  const rows = await database.orm
    .select({ ticker: markets.ticker })
    .from(markets)
    .where(eq(markets.eventTicker, event.ticker));
  for (const { ticker } of rows) {
    await database.orm
      .update(markets)
      .set({ contentHash: null, ...withMetadata(usual, metadata, ticker) })
      .where(eq(markets.ticker, ticker));
  }
  await recordMarketChanges(
    database.orm,
    rows.map((row) => row.ticker),
  );
}
