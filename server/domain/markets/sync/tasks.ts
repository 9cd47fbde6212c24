import { Readable } from 'node:stream';
import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm';
import type {
  CatalogueEvent,
  CatalogueMarket,
  ExchangeCatalogue,
} from '#server/exchange/catalogue.ts';
import { ExchangeResponseError } from '#server/exchange/errors.ts';
import type { Database } from '#server/platform/database/client.ts';
import { descending } from '#server/platform/database/descending.ts';
import { markets } from '#server/platform/database/schema/markets.ts';
import type { Log } from '#server/platform/log.ts';
import { recordMarketChanges } from '../catalogue/changes/noteChanges.ts';
import { parts } from './chunks.ts';
import { closeUnlisted } from './closeUnlisted.ts';
import { saveEvents, saveMarkets, saveSeries } from './mirror.ts';
import { preparePage } from './page.ts';
import {
  countPage,
  FULL_ORDER,
  type FullProgress,
  finishFull,
  newFullProgress,
  readFullProgress,
  writeFullProgress,
} from './progress.ts';
import { type LaidPage, layOutPage, storePage } from './storePage.ts';

/**
 * Dependencies of the sync tasks; each task is repeatable and ends early when the signal aborts.
 */
export type SyncDeps = {
  database: Database;
  catalogue: ExchangeCatalogue;
  log: Log;
  signal: AbortSignal;
};

/** Dependencies of a full read. */
type ListDeps = Omit<SyncDeps, 'catalogue'> & {
  catalogue: Pick<ExchangeCatalogue, 'listSeries' | 'listEvents'>;
};

const TICKERS_A_READ = 100;
const PAGES_A_REPORT = 20;

/** Work that runs during a full read. */
export type Meanwhile = {
  /** Runs after each page. */
  betweenPages(): Promise<void>;
  /**
   * Markets whose prices were pushed since a given `performance.now()`; the times never decrease
   * between calls.
   */
  pushedSince(moment: number): ReadonlySet<string>;
};

const NOTHING_ELSE: Meanwhile = {
  betweenPages: () => Promise.resolve(),
  pushedSince: () => new Set(),
};

/**
 * Reads the whole list page by page and stores the progress with each page, so that a killed sync
 * resumes there. While a page is written, the next ones are fetched and compared. Prices pushed
 * after a page was requested are newer than the page and stay.
 */
export async function syncAll(deps: ListDeps, meanwhile: Partial<Meanwhile> = {}): Promise<void> {
  const { database, catalogue, log, signal } = deps;
  const { betweenPages, pushedSince } = { ...NOTHING_ELSE, ...meanwhile };
  await saveSeries(database, await catalogue.listSeries());
  let progress = (await readFullProgress(database)) ?? newFullProgress();
  if (progress.pages > 0) log.info(progress, 'catalogue sync resumed');
  for await (const page of readyPages(deps, progress)) {
    if (signal.aborted) return;
    const before = progress;
    await storePage(deps, page.prepared, pushedSince(page.askedAt), async (db, changed) => {
      progress = countPage({ ...before, status: page.status }, page, changed);
      await writeFullProgress(db, progress);
    });
    if (progress.pages % PAGES_A_REPORT === 0) log.info(progress, 'catalogue sync in progress');
    await betweenPages();
  }
  const done = await finishFull(database, progress);
  log.info(done, 'catalogue mirrored');
}

/** The position of a page in the whole list. */
type Position = Pick<FullProgress, 'status' | 'cursor'>;

/** A fetched page and its request time; `cursor` is the one at its end. */
type FetchedPage = Position & { events: CatalogueEvent[]; askedAt: number };

/** The number of listings on a page, and the part that must be written. */
type ReadyPage = Omit<FetchedPage, 'events'> & {
  events: number;
  markets: number;
  prepared: LaidPage;
};

const READY_AHEAD = 1;
const FETCHED_AHEAD = 1;

/** Pages to write, some of them prepared ahead. */
function readyPages(deps: ListDeps, from: Position): AsyncIterable<ReadyPage> {
  const fetched = Readable.from(fetchPages(deps, from), { highWaterMark: FETCHED_AHEAD });
  return Readable.from(preparePages(deps, fetched), { highWaterMark: READY_AHEAD });
}

async function* fetchPages(deps: ListDeps, from: Position): AsyncGenerator<FetchedPage> {
  for (let at: Position | undefined = from; at; ) {
    const page: FetchedPage = await fetchPage(deps, at);
    yield page;
    at = positionAfter(page);
  }
}

async function* preparePages(
  deps: ListDeps,
  pages: AsyncIterable<FetchedPage>,
): AsyncGenerator<ReadyPage> {
  for await (const { events, ...page } of pages) {
    const prepared = layOutPage(await preparePage(deps, events));
    const listed = events.reduce((sum, event) => sum + event.markets.length, 0);
    yield { ...page, events: events.length, markets: listed, prepared };
  }
}

async function fetchPage(deps: ListDeps, { status, cursor }: Position): Promise<FetchedPage> {
  const askedAt = performance.now();
  return { status, askedAt, ...(await readPage(deps, { status, cursor })) };
}

function positionAfter({ status, cursor }: Position): Position | undefined {
  if (cursor !== '') return { status, cursor };
  const following = FULL_ORDER[FULL_ORDER.indexOf(status) + 1];
  return following && { status: following, cursor: '' };
}

/** A page; the first of its list when the exchange rejects the cursor. */
async function readPage({ catalogue, log }: ListDeps, { status, cursor }: Position) {
  try {
    return await catalogue.listEvents({ status, cursor });
  } catch (error) {
    if (cursor === '' || !(error instanceof ExchangeResponseError)) throw error;
    log.warn({ err: error, status }, 'the exchange rejects the cursor, reading from the beginning');
    return await catalogue.listEvents({ status });
  }
}

/**
 * Markets whose listing changed since a given time; the exchange does not count prices as changes.
 */
export async function syncChanges(deps: SyncDeps, since: Date): Promise<string[]> {
  const touched = new Set<string>();
  let cursor = '';
  do {
    if (deps.signal.aborted) break;
    const page = await deps.catalogue.listMarkets({ minUpdatedAt: since, cursor });
    const { changedEvents, unknownEvents } = await saveMarkets(deps, page.markets);
    for (const event of changedEvents) touched.add(event);
    await syncEvents(deps, unknownEvents);
    cursor = page.cursor;
  } while (cursor !== '');
  return [...touched];
}

/** Reads individual events with their markets. */
export async function syncEvents(deps: SyncDeps, eventTickers: string[]): Promise<void> {
  for (const part of parts(eventTickers, 8)) {
    if (deps.signal.aborted) return;
    const found = await Promise.all(part.map((ticker) => deps.catalogue.getEvent(ticker)));
    const events = found.filter((event): event is CatalogueEvent => event !== undefined);
    await saveEvents(deps, events);
  }
}

/** Reads individual markets; returns their events. */
export async function syncMarkets(deps: SyncDeps, tickers: string[]): Promise<string[]> {
  const touched = new Set<string>();
  for (const part of parts(tickers, TICKERS_A_READ)) {
    if (deps.signal.aborted) break;
    const { markets: found } = await deps.catalogue.listMarkets({ tickers: part });
    const { changedEvents, unknownEvents } = await saveMarkets(deps, found);
    await syncEvents(deps, unknownEvents);
    for (const event of changedEvents) touched.add(event);
    for (const event of await syncArchived(deps, part, found)) touched.add(event);
    await recordAttemptSent(deps.database, part);
  }
  return [...touched];
}

const ARCHIVED_A_ROUND = 20;

/**
 * Requests delisted markets from the exchange's archive: a market that ended unobserved must still
 * be paid. Returns the events that changed.
 */
async function syncArchived(
  deps: SyncDeps,
  asked: string[],
  found: CatalogueMarket[],
): Promise<string[]> {
  const listed = new Set(found.map((market) => market.ticker));
  const missing = asked.filter((ticker) => !listed.has(ticker)).slice(0, ARCHIVED_A_ROUND);
  const archived: CatalogueMarket[] = [];
  const unlisted: string[] = [];
  for (const ticker of missing) {
    const market = await deps.catalogue.getArchivedMarket(ticker);
    if (market) archived.push(market);
    else unlisted.push(ticker);
  }
  const { changedEvents } = await saveMarkets(deps, archived);
  return [...changedEvents, ...(await closeUnlisted(deps.database, unlisted))];
}

/** Records the request, successful or not, so that it is repeated later and not at once. */
async function recordAttemptSent(database: Database, asked: string[]): Promise<void> {
  await database.orm
    .update(markets)
    .set({ syncedAt: new Date() })
    .where(inArray(markets.ticker, asked));
}

/**
 * Markets due to open or close by the clock, which the exchange does not announce, and those
 * without a final result.
 */
export async function listOverdue(database: Database, limit: number): Promise<string[]> {
  const rows = await database.orm
    .select({ ticker: markets.ticker })
    .from(markets)
    .where(
      and(
        lt(markets.syncedAt, sql`now() - interval '4 seconds'`),
        sql`((status in ('open', 'paused') and close_at <= now())
          or (status = 'unopened' and open_at <= now())
          or (status = 'closed' and (close_at > now() - interval '2 hours'
            or synced_at < now() - interval '10 minutes')))`,
      ),
    )
    .orderBy(asc(markets.syncedAt))
    .limit(limit);
  return rows.map((row) => row.ticker);
}

/** Reads the cash in the books of open markets, the busiest first; returns the affected events. */
export async function syncLiquidity(deps: SyncDeps, offset: number, count: number) {
  const rows = await deps.database.orm
    .select({ ticker: markets.ticker, eventTicker: markets.eventTicker })
    .from(markets)
    .where(eq(markets.status, 'open'))
    .orderBy(descending(markets.volumeContractMicros), asc(markets.ticker))
    .offset(offset)
    .limit(count);
  for (const part of parts(rows, TICKERS_A_READ)) {
    if (deps.signal.aborted) break;
    const found = await deps.catalogue.listLiquidity(part.map((row) => row.ticker));
    await deps.database.orm.execute(sql`
      update markets m set liquidity_usdc_micros = f.liquidity
      from unnest(${sql.param([...found.keys()])}::text[],
        ${sql.param([...found.values()].map(String))}::bigint[]) as f(ticker, liquidity)
      where m.ticker = f.ticker and m.liquidity_usdc_micros is distinct from f.liquidity`);
    await recordMarketChanges(deps.database.orm, [...found.keys()]);
  }
  return { events: [...new Set(rows.map((row) => row.eventTicker))], read: rows.length };
}
