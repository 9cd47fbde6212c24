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

/** A page of which all is done that needs no database: see {@link layOutPage}. */
export type LaidPage = MirrorPage & {
  eventPortions: Portion<EventRow>[];
  marketPortions: Portion<MarketRow>[];
  /** Of markets that were not there when the page was compared. */
  addedPortions: Portion<MarketRow>[];
};

/** Done while the database writes the page before, which it takes longer for than this. */
export function layOutPage(page: MirrorPage): LaidPage {
  const eventPortions = parts(page.events).map(portionOfEvents);
  const portionsOf = (rows: readonly MarketRow[]) => parts(rows).map(portionOfMarkets);
  const marketPortions = portionsOf(page.markets.filter((row) => !row.isAdded));
  const addedPortions = portionsOf(page.markets.filter((row) => row.isAdded));
  return { ...page, eventPortions, marketPortions, addedPortions };
}

/** What is written along with a page: all of it is kept, or nothing. */
type Along = (db: Queryable, changedEvents: number) => Promise<void>;

/**
 * Writes a prepared page with the sums of its events; answers how many events changed.
 * @param pushed markets of which prices were pushed after the page was asked for: they keep those
 * @param along written also where nothing of the page is
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

/** No names say that lists changed, which is said of every market. */
async function recordChangesOf(db: Queryable, page: MirrorPage): Promise<void> {
  await recordMarketChanges(
    db,
    page.events.length === 0 ? page.markets.map((row) => row.ticker) : [],
  );
}

type About = { changed: readonly string[]; pushed: ReadonlySet<string> };
type Noting = { noting: (db: Queryable) => Promise<void> };

/**
 * False, and nothing of it written, when the database refuses some of it, or when somebody else
 * added one of the markets since the page was compared.
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
      // The exchange has it all: a page that a power cut takes back is read again.
      await tx.execute(sql`set local synchronous_commit = off`);
      for (const portion of page.addedPortions) await insertMarkets(tx, portion);
      for (const portion of page.marketPortions) await upsertMarkets(tx, portion, pushed);
      // Events come after the markets, whose sums they are written with.
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

/** Writes what of a page the database takes. */
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
