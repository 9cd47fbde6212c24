import { type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../db/client.ts';
import { commitLazily } from '../../db/commitLazily.ts';
import { isOneOf } from '../../db/isOneOf.ts';
import { events, markets, series } from '../../db/schema/markets.ts';
import type { Log } from '../../log.ts';
import type { CatalogueEvent, CatalogueMarket, CatalogueSeries } from '../../venue/catalogue.ts';
import { noteMarketChanges } from '../changes/noteChanges.ts';
import { type MirrorPage, prepareMarkets, preparePage } from './page.ts';
import { parts } from './parts.ts';
import { type EventRow, lastOfEach, type MarketRow } from './rows.ts';
import { renewSums, sumsOfRows } from './sums.ts';
import { isAborted, isAboutData, writeTolerantly } from './tolerantWrite.ts';
import { overwrite, upsert } from './upsert.ts';
import { forgetWhole, markWhole } from './wholeHashes.ts';

/** Writes of the mirror: all in batches, all repeatable. */
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
    updatedAt: now,
  }));
  for (const part of parts(rows)) {
    await upsert(database.orm, series, 'ticker', part, overwrite(series, ['ticker']));
  }
}

/**
 * Writes a prepared page with the sums of its events; answers how many events changed.
 * @param pushed markets of which prices were pushed after the page was asked for: they keep those
 */
export async function storePage(
  deps: MirrorDeps,
  page: MirrorPage,
  pushed: ReadonlySet<string> = new Set(),
): Promise<number> {
  if (page.events.length + page.markets.length + page.marks.length === 0) return 0;
  const changed = [
    ...new Set([
      ...page.events.map((row) => row.ticker),
      ...page.markets.map((row) => row.eventTicker),
    ]),
  ];
  const isStored = await isStoredWhole(deps, page, { changed, pushed });
  if (!isStored) await storeTolerantly(deps, page, { changed, pushed });
  if (changed.length === 0) return 0;
  // No names say that lists changed, which is said of every market.
  const named = page.events.length === 0 ? page.markets.map((row) => row.ticker) : [];
  await noteMarketChanges(deps.database, named);
  return changed.length;
}

type About = { changed: readonly string[]; pushed: ReadonlySet<string> };

/** False, and nothing of it written, when the database refuses some of it. */
async function isStoredWhole(
  { database }: MirrorDeps,
  page: MirrorPage,
  { changed, pushed }: About,
): Promise<boolean> {
  try {
    await commitLazily(database, async (db) => {
      const written = new Set(page.events.map((row) => row.ticker));
      const others = changed.filter((ticker) => !written.has(ticker));
      // They reach the database in this order, one being laid out while it writes another. Events
      // come after the markets, whose sums they are written with.
      await Promise.all([
        ...parts(page.markets).map((part) => upsertMarkets(db, part, pushed)),
        ...parts(page.events).map((part) => upsertEvents(db, part)),
        renewSums(db, others),
        markWhole(db, page.marks),
      ]);
    });
    return true;
  } catch (error) {
    // What it was that failed is told again to whoever writes one after the other.
    if (isAboutData(error) || isAborted(error)) return false;
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
  for (const part of parts(page.events.map((row) => ({ ...row, wholeHash: null })))) {
    const left = await writeTolerantly(part, log, (some) => upsertEvents(database.orm, some));
    for (const ticker of left) refused.add(ticker);
  }
  // A market is shown with its event, so it is not mirrored without one.
  const rows = page.markets.filter((row) => !refused.has(row.eventTicker));
  for (const part of parts(rows)) {
    await writeTolerantly(part, log, (some) => upsertMarkets(database.orm, some, pushed));
  }
  await renewSums(database.orm, changed);
  await forgetWhole(database.orm, changed);
}

async function upsertEvents(db: Queryable, rows: readonly EventRow[]): Promise<void> {
  const sums = sumsOfRows(rows.map((row) => row.ticker));
  await upsert(db, events, 'ticker', rows, eventChanges(), sums);
}

async function upsertMarkets(
  db: Queryable,
  rows: readonly MarketRow[],
  pushed: ReadonlySet<string>,
): Promise<void> {
  const kept = rows.map((row) => row.ticker).filter((ticker) => pushed.has(ticker));
  const changes = kept.length === 0 ? marketChanges() : { ...marketChanges(), ...keptPrices(kept) };
  await upsert(db, markets, 'ticker', rows, changes);
}

/** Events and the markets they came with. */
export async function saveEvents(deps: MirrorDeps, list: readonly CatalogueEvent[]): Promise<void> {
  await storePage(deps, await preparePage(deps, list));
}

/**
 * Markets of events that are mirrored already; answers the events of those that changed and the
 * events that are not mirrored.
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
        await upsertMarkets(tx, some, new Set());
        await forgetWhole(
          tx,
          some.map((row) => row.eventTicker),
        );
      }),
    );
    await noteMarketChanges(
      database,
      part.map((row) => row.ticker),
    );
  }
}

/** Results of before the mirror noted when it learned them count as learned now. */
export async function noteEarlierResults(database: Database): Promise<void> {
  await database.orm.execute(sql`
    update markets set final_seen_at = now()
    where status = 'settled' and payout_yes_micros is not null and final_seen_at is null`);
}

/** What was read besides is kept. */
function eventChanges(): Record<string, SQL> {
  return {
    ...overwrite(events, ['ticker', 'metadata', 'metadataReadAt', 'search']),
    // Of its markets it says something only when all of them are written with it.
    wholeHash: sql`null`,
  };
}

const PRICES = [
  'yesBidMicros',
  'yesAskMicros',
  'lastPriceMicros',
  'volumeContractMicros',
  'volume24hContractMicros',
  'openInterestContractMicros',
] as const;

/** Leaves the prices of some rows; what a page said of them is not what is stored then. */
function keptPrices(tickers: readonly string[]): Record<string, SQL> {
  const isKept = isOneOf(markets.ticker, tickers);
  const kept: Record<string, SQL> = {
    contentHash: sql`case when ${isKept} then null else excluded.content_hash end`,
  };
  for (const name of PRICES) {
    const column = sql.identifier(markets[name].name);
    kept[name] = sql`case when ${isKept} then markets.${column} else excluded.${column} end`;
  }
  return kept;
}

/**
 * A whole book's cash is worth more than the estimate that comes with a listing. What is final
 * stays final: a record that no longer says how a market paid takes nothing back.
 */
function marketChanges(): Record<string, SQL> {
  const losesResult = sql`markets.payout_yes_micros is not null and excluded.payout_yes_micros is null`;
  const unlessLost = (column: string) =>
    sql`case when ${losesResult} then markets.${sql.identifier(column)} else excluded.${sql.identifier(column)} end`;
  return {
    ...overwrite(markets, ['ticker', 'yesTokenId', 'noTokenId', 'historyReadAt']),
    status: unlessLost('status'),
    result: unlessLost('result'),
    payoutYesMicros: unlessLost('payout_yes_micros'),
    settledAt: unlessLost('settled_at'),
    finalSeenAt: sql`case
      when excluded.payout_yes_micros is not null
        and markets.payout_yes_micros is distinct from excluded.payout_yes_micros
      then excluded.final_seen_at else markets.final_seen_at end`,
    liquidityUsdcMicros: sql`case when excluded.status <> 'open' then 0
      else greatest(markets.liquidity_usdc_micros, excluded.liquidity_usdc_micros) end`,
  };
}
