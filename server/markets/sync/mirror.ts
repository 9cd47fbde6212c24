import { type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../../db/client.ts';
import { commitLazily } from '../../db/commitLazily.ts';
import { isOneOf } from '../../db/isOneOf.ts';
import { events, markets, series } from '../../db/schema/markets.ts';
import type { Log } from '../../log.ts';
import type { CatalogueEvent, CatalogueMarket, CatalogueSeries } from '../../venue/catalogue.ts';
import { noteMarketChanges } from '../changes/noteChanges.ts';
import { MARKET_STATUSES, statusBit } from '../statusMask.ts';
import {
  type EventFacts,
  type EventRow,
  eventRow,
  type KnownTokenIds,
  lastOfEach,
  type MarketRow,
  marketRow,
  type SeriesFacts,
  withTokenIds,
} from './rows.ts';
import { isAborted, isAboutData, writeTolerantly } from './tolerantWrite.ts';
import { overwrite, upsert } from './upsert.ts';

/** Writes of the mirror: all in batches, all repeatable. */
export type MirrorDeps = { database: Database; log: Log };

const ROWS_A_STATEMENT = 1_000;

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

/** What of a page has to be written: what the exchange said before is left alone. */
export type MirrorPage = { events: EventRow[]; markets: MarketRow[] };

/** Works out what of these events and their markets is new. Writes nothing. */
export async function preparePage(
  { database, log }: MirrorDeps,
  list: readonly CatalogueEvent[],
): Promise<MirrorPage> {
  const offered = lastOfEach(list, (event) => event.eventTicker).filter(isOfferedEvent);
  if (offered.length === 0) return { events: [], markets: [] };
  const listed = offeredOf(offered.flatMap((event) => event.markets));
  const now = new Date();
  const [seriesKnown, eventsKnown, marketsKnown] = await Promise.all([
    seriesFacts(database, [...new Set(offered.map((event) => event.seriesTicker))]),
    eventFacts(
      database,
      offered.map((event) => event.eventTicker),
    ),
    marketFacts(
      database,
      listed.map((market) => market.ticker),
    ),
  ]);
  const facts = new Map<string, EventFacts>();
  const rows: EventRow[] = [];
  for (const event of offered) {
    const known = eventsKnown.get(event.eventTicker);
    const row = eventRow(event, seriesKnown.get(event.seriesTicker), known, now);
    facts.set(row.ticker, {
      seriesTicker: row.seriesTicker,
      category: row.category,
      metadata: known?.metadata ?? null,
      milestones: row.milestones ?? null,
    });
    if (known?.contentHash !== row.contentHash) rows.push(row);
  }
  // A market may come with another event than the one it belongs to.
  const strangers = listed.map((market) => market.eventTicker).filter((one) => !facts.has(one));
  for (const [ticker, known] of await eventFacts(database, [...new Set(strangers)])) {
    facts.set(ticker, known);
  }
  return { events: rows, markets: newRows(log, listed, facts, marketsKnown, now) };
}

/** Writes a prepared page with the sums of its events; answers how many events changed. */
export async function storePage(deps: MirrorDeps, page: MirrorPage): Promise<number> {
  if (page.events.length === 0 && page.markets.length === 0) return 0;
  const changed = [
    ...new Set([
      ...page.events.map((row) => row.ticker),
      ...page.markets.map((row) => row.eventTicker),
    ]),
  ];
  if (!(await isStoredWhole(deps, page, changed))) await storeTolerantly(deps, page, changed);
  // No names say that lists changed, which is said of every market.
  const named = page.events.length === 0 ? page.markets.map((row) => row.ticker) : [];
  await noteMarketChanges(deps.database, named);
  return changed.length;
}

/** False, and nothing of it written, when the database refuses some of it. */
async function isStoredWhole(
  { database }: MirrorDeps,
  page: MirrorPage,
  changed: readonly string[],
): Promise<boolean> {
  try {
    await commitLazily(database, async (db) => {
      // They reach the database in this order, one being laid out while it writes another.
      await Promise.all([
        ...parts(page.events).map((part) => upsertEvents(db, part)),
        ...parts(page.markets).map((part) => upsertMarkets(db, part)),
        renewSums(db, changed),
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
  changed: readonly string[],
): Promise<void> {
  const refused = new Set<string>();
  for (const part of parts(page.events)) {
    const left = await writeTolerantly(part, log, (some) => upsertEvents(database.orm, some));
    for (const ticker of left) refused.add(ticker);
  }
  // A market is shown with its event, so it is not mirrored without one.
  const rows = page.markets.filter((row) => !refused.has(row.eventTicker));
  for (const part of parts(rows)) {
    await writeTolerantly(part, log, (some) => upsertMarkets(database.orm, some));
  }
  await renewSums(database.orm, changed);
}

async function upsertEvents(db: Queryable, rows: readonly EventRow[]): Promise<void> {
  await upsert(db, events, 'ticker', rows, eventChanges());
}

async function upsertMarkets(db: Queryable, rows: readonly MarketRow[]): Promise<void> {
  await upsert(db, markets, 'ticker', rows, marketChanges());
}

/** Events and the markets they came with. */
export async function saveEvents(deps: MirrorDeps, list: readonly CatalogueEvent[]): Promise<void> {
  await storePage(deps, await preparePage(deps, list));
}

/** An event that has nothing but combinations and provisional listings is not shown. */
function isOfferedEvent(event: CatalogueEvent): boolean {
  return event.markets.length === 0 || event.markets.some((market) => market.isOffered);
}

function offeredOf(list: readonly CatalogueMarket[]): CatalogueMarket[] {
  return lastOfEach(list, (market) => market.ticker).filter((market) => market.isOffered);
}

/**
 * Markets of events that are mirrored already; answers the events of those that changed and the
 * events that are not mirrored.
 */
export async function saveMarkets(
  deps: MirrorDeps,
  list: readonly CatalogueMarket[],
): Promise<{ changedEvents: string[]; unknownEvents: string[] }> {
  const { database, log } = deps;
  const offered = offeredOf(list);
  const named = [...new Set(offered.map((market) => market.eventTicker))];
  const [facts, known] = await Promise.all([
    eventFacts(database, named),
    marketFacts(
      database,
      offered.map((market) => market.ticker),
    ),
  ]);
  const rows = newRows(log, offered, facts, known, new Date());
  await storeMarkets(deps, rows);
  return {
    changedEvents: [...new Set(rows.map((row) => row.eventTicker))],
    unknownEvents: named.filter((ticker) => !facts.has(ticker)),
  };
}

/** Rows of the markets of which the exchange says something new; without those of unknown events. */
function newRows(
  log: Log,
  list: readonly CatalogueMarket[],
  facts: ReadonlyMap<string, EventFacts>,
  known: ReadonlyMap<string, KnownMarket>,
  now: Date,
): MarketRow[] {
  return list.flatMap((market) => {
    const event = facts.get(market.eventTicker);
    if (!event) return [];
    const before = known.get(market.ticker);
    const row = marketRow(market, event, now);
    if (before?.contentHash === row.contentHash) return [];
    if (before && contradicts(before.payoutYesMicros, row.payoutYesMicros)) {
      log.error(
        { ticker: market.ticker, before: before.payoutYesMicros, now: row.payoutYesMicros },
        'the exchange changed a result that was final',
      );
    }
    return [withTokenIds(row, before)];
  });
}

async function storeMarkets({ database, log }: MirrorDeps, rows: MarketRow[]): Promise<void> {
  for (const part of parts(rows)) {
    await writeTolerantly(part, log, (some) => upsertMarkets(database.orm, some));
    await noteMarketChanges(
      database,
      part.map((row) => row.ticker),
    );
  }
}

function contradicts(before: bigint | null, after: bigint | null | undefined): boolean {
  return before !== null && after !== null && after !== undefined && before !== after;
}

/** Renews the sums of events from their markets; events whose sums stay are not written. */
export async function renewSums(db: Queryable, tickers: readonly string[]): Promise<void> {
  for (const part of parts(tickers)) {
    await db.execute(sql`
      update events e set
        total_market_count = s.total, active_market_count = s.active,
        volume_contract_micros = s.volume, volume_24h_contract_micros = s.volume_24h,
        liquidity_usdc_micros = s.liquidity, newest_at = s.newest, closes_next_at = s.closes_next,
        status_mask = s.status_mask, ranked_at = clock_timestamp()
      from (
        select event_ticker, count(*)::int as total,
          (count(*) filter (where status = 'open'))::int as active,
          sum(volume_contract_micros)::bigint as volume,
          sum(volume_24h_contract_micros)::bigint as volume_24h,
          sum(liquidity_usdc_micros)::bigint as liquidity,
          max(open_at) as newest,
          min(close_at) filter (where status in ('open', 'paused')) as closes_next,
          bit_or(case status ${sql.join(
            MARKET_STATUSES.map((status) => sql`when ${status} then ${statusBit(status)}::int`),
            sql` `,
          )} else 0 end) as status_mask
        from markets where ${isOneOf(markets.eventTicker, part)} group by event_ticker
      ) s where e.ticker = s.event_ticker
        and (e.total_market_count, e.active_market_count, e.volume_contract_micros,
          e.volume_24h_contract_micros, e.liquidity_usdc_micros, e.newest_at, e.closes_next_at,
          e.status_mask)
        is distinct from (s.total, s.active, s.volume, s.volume_24h, s.liquidity, s.newest,
          s.closes_next, s.status_mask)`);
  }
}

/** Results of before the mirror noted when it learned them count as learned now. */
export async function noteEarlierResults(database: Database): Promise<void> {
  await database.orm.execute(sql`
    update markets set final_seen_at = now()
    where status = 'settled' and payout_yes_micros is not null and final_seen_at is null`);
}

async function seriesFacts(
  database: Database,
  tickers: string[],
): Promise<Map<string, SeriesFacts>> {
  if (tickers.length === 0) return new Map();
  const rows = await database.orm.select().from(series).where(isOneOf(series.ticker, tickers));
  return new Map(rows.map((row) => [row.ticker, row]));
}

type KnownEvent = EventFacts & { contentHash: string | null };

async function eventFacts(database: Database, tickers: string[]): Promise<Map<string, KnownEvent>> {
  if (tickers.length === 0) return new Map();
  const rows = await database.orm
    .select({
      ticker: events.ticker,
      seriesTicker: events.seriesTicker,
      category: events.category,
      metadata: events.metadata,
      milestones: events.milestones,
      contentHash: events.contentHash,
    })
    .from(events)
    .where(isOneOf(events.ticker, tickers));
  return new Map(rows.map(({ ticker, ...facts }) => [ticker, facts]));
}

type KnownMarket = KnownTokenIds & {
  contentHash: string | null;
  payoutYesMicros: bigint | null;
};

async function marketFacts(
  database: Database,
  tickers: string[],
): Promise<Map<string, KnownMarket>> {
  if (tickers.length === 0) return new Map();
  const rows = await database.orm
    .select({
      ticker: markets.ticker,
      contentHash: markets.contentHash,
      payoutYesMicros: markets.payoutYesMicros,
      yesTokenId: markets.yesTokenId,
      noTokenId: markets.noTokenId,
    })
    .from(markets)
    .where(isOneOf(markets.ticker, tickers));
  return new Map(rows.map(({ ticker, ...facts }) => [ticker, facts]));
}

/** The sums are kept: they are renewed from the markets. So is what was read besides. */
function eventChanges(): Record<string, SQL> {
  return overwrite(events, [
    'ticker',
    'totalMarketCount',
    'activeMarketCount',
    'volumeContractMicros',
    'volume24hContractMicros',
    'liquidityUsdcMicros',
    'newestAt',
    'closesNextAt',
    'statusMask',
    'metadata',
    'metadataReadAt',
  ]);
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

export function parts<T>(items: readonly T[], size = ROWS_A_STATEMENT): T[][] {
  const made: T[][] = [];
  for (let from = 0; from < items.length; from += size) made.push(items.slice(from, from + size));
  return made;
}
