import { eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/client.ts';
import { catalogueState, events, markets, series } from '../../db/schema/markets.ts';
import type { CatalogueEvent, CatalogueMarket, CatalogueSeries } from '../../venue/catalogue.ts';
import { looksOf } from './looks.ts';
import { type EventFacts, eventRow, lastOfEach, marketRow, type SeriesFacts } from './rows.ts';

/** Writes of the mirror: all in batches, all repeatable. */

const ROWS_A_STATEMENT = 500;

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
    await database.orm
      .insert(series)
      .values(part)
      .onConflictDoUpdate({ target: series.ticker, set: overwrite(series, ['ticker']) });
  }
}

/** Events and the markets they came with. Answers the tickers of the events. */
export async function saveEvents(database: Database, list: CatalogueEvent[]): Promise<string[]> {
  if (list.length === 0) return [];
  const now = new Date();
  const facts = await seriesFacts(database, [...new Set(list.map((event) => event.seriesTicker))]);
  const offered = list.filter(
    (event) => event.markets.length === 0 || event.markets.some((market) => market.isOffered),
  );
  const rows = lastOfEach(offered, (event) => event.eventTicker).map((event) =>
    eventRow(event, facts.get(event.seriesTicker), now),
  );
  for (const part of parts(rows)) {
    await database.orm
      .insert(events)
      .values(part)
      .onConflictDoUpdate({ target: events.ticker, set: eventChanges() });
  }
  const marketsOf = offered.flatMap((event) => event.markets);
  await saveMarkets(database, marketsOf);
  return rows.map((row) => row.ticker);
}

/** Markets of events that are mirrored already; answers those whose event is not. */
export async function saveMarkets(
  database: Database,
  list: CatalogueMarket[],
): Promise<{ unknownEvents: string[] }> {
  const now = new Date();
  const offered = lastOfEach(list, (market) => market.ticker).filter((market) => market.isOffered);
  const facts = await eventFacts(database, [
    ...new Set(offered.map((market) => market.eventTicker)),
  ]);
  const unknownEvents = new Set<string>();
  const rows = offered.flatMap((market) => {
    const event = facts.get(market.eventTicker);
    if (event) return [marketRow(market, event, now)];
    unknownEvents.add(market.eventTicker);
    return [];
  });
  for (const part of parts(rows)) {
    await database.orm
      .insert(markets)
      .values(part)
      .onConflictDoUpdate({ target: markets.ticker, set: marketChanges() });
  }
  return { unknownEvents: [...unknownEvents] };
}

/** Renews the sums of events from their markets. */
export async function renewSums(database: Database, tickers: string[]): Promise<void> {
  for (const part of parts(tickers)) {
    await database.orm.execute(sql`
      update events e set
        total_market_count = s.total, active_market_count = s.active,
        volume_contract_micros = s.volume, volume_24h_contract_micros = s.volume_24h,
        liquidity_usdc_micros = s.liquidity, newest_at = s.newest, closes_next_at = s.closes_next
      from (
        select event_ticker, count(*)::int as total,
          (count(*) filter (where status = 'open'))::int as active,
          sum(volume_contract_micros)::bigint as volume,
          sum(volume_24h_contract_micros)::bigint as volume_24h,
          sum(liquidity_usdc_micros)::bigint as liquidity,
          max(open_at) as newest,
          min(close_at) filter (where status in ('open', 'paused')) as closes_next
        from markets where ${inArray(markets.eventTicker, part)} group by event_ticker
      ) s where e.ticker = s.event_ticker`);
  }
}

/** Where the mirror has come to, under a name. */
export async function readState<T>(database: Database, name: string): Promise<T | undefined> {
  const [row] = await database.orm
    .select({ value: catalogueState.value })
    .from(catalogueState)
    .where(eq(catalogueState.name, name));
  return row?.value as T | undefined;
}

export async function clearState(database: Database, name: string): Promise<void> {
  await database.orm.delete(catalogueState).where(eq(catalogueState.name, name));
}

export async function writeState(database: Database, name: string, value: unknown): Promise<void> {
  await database.orm
    .insert(catalogueState)
    // JavaScript's null would become the database's, which is no value at all.
    .values({ name, value: value ?? sql`'null'::jsonb`, updatedAt: new Date() })
    .onConflictDoUpdate({
      target: catalogueState.name,
      set: { value: sql`excluded.value`, updatedAt: sql`excluded.updated_at` },
    });
}

async function seriesFacts(
  database: Database,
  tickers: string[],
): Promise<Map<string, SeriesFacts>> {
  if (tickers.length === 0) return new Map();
  const rows = await database.orm.select().from(series).where(inArray(series.ticker, tickers));
  return new Map(rows.map((row) => [row.ticker, row]));
}

async function eventFacts(database: Database, tickers: string[]): Promise<Map<string, EventFacts>> {
  const found = new Map<string, EventFacts>();
  for (const part of parts(tickers)) {
    const rows = await database.orm
      .select({
        ticker: events.ticker,
        seriesTicker: events.seriesTicker,
        category: events.category,
      })
      .from(events)
      .where(inArray(events.ticker, part));
    for (const { ticker, seriesTicker, category } of rows) {
      found.set(ticker, { seriesTicker, category, looks: looksOf(category, seriesTicker) });
    }
  }
  return found;
}

/** Every column but the named ones takes the new value. */
function overwrite(table: PgTable, except: string[]): Record<string, SQL> {
  const columns = Object.entries(getTableColumns(table)).filter(
    ([key, column]) => !except.includes(key) && column.generated === undefined,
  );
  return Object.fromEntries(
    columns.map(([key, column]) => [key, sql`excluded.${sql.identifier(column.name)}`]),
  );
}

/** The sums are kept: they are renewed from the markets. */
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
  ]);
}

/** A whole book's cash is worth more than the estimate that comes with a listing. */
function marketChanges(): Record<string, SQL> {
  return {
    ...overwrite(markets, ['ticker', 'yesTokenId', 'noTokenId', 'historyReadAt']),
    liquidityUsdcMicros: sql`case when excluded.status <> 'open' then 0
      else greatest(markets.liquidity_usdc_micros, excluded.liquidity_usdc_micros) end`,
  };
}

export function parts<T>(items: readonly T[], size = ROWS_A_STATEMENT): T[][] {
  const made: T[][] = [];
  for (let from = 0; from < items.length; from += size) made.push(items.slice(from, from + size));
  return made;
}
