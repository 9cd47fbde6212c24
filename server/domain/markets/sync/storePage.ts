import { sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { recordMarketChanges } from '../catalogue/changes/noteChanges.ts';
import { parts } from './chunks.ts';
import { renewEventAggregates } from './eventAggregates.ts';
import { invalidateListingHashes, storeListingHashes } from './listingHashes.ts';
import type { MirrorPage } from './page.ts';
import {
  insertMarkets,
  type Portion,
  portionOfEvents,
  portionOfMarkets,
  upsertEvents,
  upsertMarkets,
} from './portions.ts';
import type { EventRow, MarketRow } from './rows.ts';
import { isAboutData, writeTolerantly } from './tolerantWrite.ts';

type MirrorDeps = { database: Database; log: Log };

/** A page after all work that needs no database: see {@link layOutPage}. */
export type LaidPage = MirrorPage & {
  eventPortions: Portion<EventRow>[];
  marketPortions: Portion<MarketRow>[];
  /** Markets that did not exist at the comparison. */
  addedPortions: Portion<MarketRow>[];
};

/** Runs while PostgreSQL writes the previous page, which takes longer. */
export function layOutPage(page: MirrorPage): LaidPage {
  const eventPortions = parts(page.events).map(portionOfEvents);
  const portionsOf = (rows: readonly MarketRow[]) => parts(rows).map(portionOfMarkets);
  const marketPortions = portionsOf(page.markets.filter((row) => !row.isAdded));
  const addedPortions = portionsOf(page.markets.filter((row) => row.isAdded));
  return { ...page, eventPortions, marketPortions, addedPortions };
}

/** Written in the page's transaction. */
type Along = (db: Queryable, changedEvents: number) => Promise<void>;

/**
 * Writes a prepared page with the aggregates of its events; returns how many events changed.
 * @param pushed markets whose prices were pushed after the page was requested: they keep those
 * @param along written even when the page itself changes nothing
 */
export async function storePage(
  deps: MirrorDeps,
  page: LaidPage,
  pushed: ReadonlySet<string> = new Set(),
  along: Along = () => Promise.resolve(),
): Promise<number> {
  const changed = [
    ...new Set([
      ...page.events.map((row) => row.ticker),
      ...page.markets.map((row) => row.eventTicker),
    ]),
  ];
  const noting = async (db: Queryable) => {
    await Promise.all([
      changed.length > 0 ? recordChangesOf(db, page) : undefined,
      along(db, changed.length),
    ]);
  };
  if (changed.length + page.marks.length === 0) await noting(deps.database.orm);
  else if (!(await isStoredWhole(deps, page, { changed, pushed, noting }))) {
    await storeTolerantly(deps, page, { changed, pushed });
    await noting(deps.database.orm);
  }
  return changed.length;
}

/** Without tickers the change applies to lists, and so to every market. */
async function recordChangesOf(db: Queryable, page: MirrorPage): Promise<void> {
  await recordMarketChanges(
    db,
    page.events.length === 0 ? page.markets.map((row) => row.ticker) : [],
  );
}

type About = { changed: readonly string[]; pushed: ReadonlySet<string> };
type Noting = { noting: (db: Queryable) => Promise<void> };

/**
 * Returns false, and writes nothing, when the database rejects a row or another process added one
 * of the markets since the comparison.
 */
async function isStoredWhole(
  { database }: MirrorDeps,
  page: LaidPage,
  { changed, pushed, noting }: About & Noting,
): Promise<boolean> {
  try {
    const written = new Set(page.events.map((row) => row.ticker));
    const others = changed.filter((ticker) => !written.has(ticker));
    await database.orm.transaction(async (tx) => {
      // Durability is not needed: a page lost in a power cut is read again from the exchange.
      await tx.execute(sql`set local synchronous_commit = off`);
      for (const portion of page.addedPortions) await insertMarkets(tx, portion);
      for (const portion of page.marketPortions) await upsertMarkets(tx, portion, pushed);
      // Events follow the markets, because their aggregates read them.
      for (const portion of page.eventPortions) await upsertEvents(tx, portion);
      await renewEventAggregates(tx, others);
      await storeListingHashes(tx, page.marks);
      await noting(tx);
    });
    return true;
  } catch (error) {
    if (isAboutData(error)) return false;
    throw error;
  }
}

/** Writes the rows of a page that the database accepts. */
async function storeTolerantly(
  { database, log }: MirrorDeps,
  page: MirrorPage,
  { changed, pushed }: About,
): Promise<void> {
  const refused = new Set<string>();
  for (const part of parts(page.events.map((row) => ({ ...row, listingHash: null })))) {
    const left = await writeTolerantly(part, log, (some) =>
      upsertEvents(database.orm, portionOfEvents(some)),
    );
    for (const ticker of left) refused.add(ticker);
  }
  // A market is shown with its event, so it is not mirrored without one.
  const rows = page.markets.filter((row) => !refused.has(row.eventTicker));
  for (const part of parts(rows)) {
    await writeTolerantly(part, log, (some) =>
      upsertMarkets(database.orm, portionOfMarkets(some), pushed),
    );
  }
  await renewEventAggregates(database.orm, changed);
  await invalidateListingHashes(database.orm, changed);
}
