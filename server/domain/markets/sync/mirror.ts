import { sql } from 'drizzle-orm';
import type {
  CatalogueEvent,
  CatalogueMarket,
  CatalogueSeries,
} from '#server/exchange/catalogue.ts';
import type { Database } from '#server/platform/database/client.ts';
import { series } from '#server/platform/database/schema/markets.ts';
import type { Log } from '#server/platform/log.ts';
import { recordMarketChanges } from '../catalogue/changes/noteChanges.ts';
import { lastOfEach } from '../catalogue/lastOfEach.ts';
import { parts } from './chunks.ts';
import { invalidateListingHashes } from './listingHashes.ts';
import { prepareMarkets, preparePage } from './page.ts';
import { portionOfMarkets, upsertMarkets } from './portions.ts';
import type { MarketRow } from './rows.ts';
import { layOutPage, storePage } from './storePage.ts';
import { writeTolerantly } from './tolerantWrite.ts';
import { layOut, overwrite, upsert } from './upsert.ts';

/** Dependencies of the mirror's writes, which are batched and idempotent. */
export type MirrorDeps = { database: Database; log: Log };

export async function saveSeries(database: Database, list: CatalogueSeries[]): Promise<void> {
  const now = new Date();
  const rows = lastOfEach(list, (item) => item.ticker).map((item) => ({
    ticker: item.ticker,
    title: item.title,
    category: item.category || 'Other',
    frequency: item.frequency,
    tags: item.tags,
    feeType: item.feeType,
    feeMultiplierMicros: item.feeMultiplierMicros,
    settlementSources: item.settlementSources,
    contractTermsUrl: item.contractTermsUrl,
    updatedAt: now,
  }));
  for (const part of parts(rows)) {
    const laid = layOut(series, 'ticker', part);
    await upsert(database.orm, series, 'ticker', laid, overwrite(series, ['ticker']));
  }
}

/** Saves events with their markets. */
export async function saveEvents(deps: MirrorDeps, list: readonly CatalogueEvent[]): Promise<void> {
  await storePage(deps, layOutPage(await preparePage(deps, list)));
}

/**
 * Saves markets of mirrored events. Returns the events of changed markets, and the events that are
 * not mirrored.
 */
export async function saveMarkets(
  deps: MirrorDeps,
  list: readonly CatalogueMarket[],
): Promise<{ changedEvents: string[]; unknownEvents: string[] }> {
  const { rows, unknownEvents } = await prepareMarkets(deps, list);
  await storeMarkets(deps, rows);
  return { changedEvents: [...new Set(rows.map((row) => row.eventTicker))], unknownEvents };
}

async function storeMarkets({ database, log }: MirrorDeps, rows: MarketRow[]): Promise<void> {
  for (const part of parts(rows)) {
    await writeTolerantly(part, log, (some) =>
      database.orm.transaction(async (tx) => {
        await upsertMarkets(tx, portionOfMarkets(some), new Set());
        await invalidateListingHashes(
          tx,
          some.map((row) => row.eventTicker),
        );
      }),
    );
    await recordMarketChanges(
      database.orm,
      part.map((row) => row.ticker),
    );
  }
}

/** Results without a recorded time, from before the mirror stored it, count as recorded now. */
export async function recordEarlierResults(database: Database): Promise<void> {
  await database.orm.execute(sql`
    update markets set final_seen_at = now()
    where status = 'settled' and payout_yes_micros is not null and final_seen_at is null`);
}
