import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Database } from '#server/platform/database/client.ts';
import { descending } from '#server/platform/database/descending.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { events, markets, series } from '#server/platform/database/schema/markets.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { marketNotFound } from './marketNotFound.ts';
import { eventRecordOf, marketColumns, marketRecordOf, milestoneOf } from './marketRecord.ts';
import { orderOutcomes } from './orderOutcomes.ts';
import type {
  EventWithMarkets,
  ListMarketsInput,
  ListMarketsResult,
  MarketRecord,
  MarketSort,
} from './types.ts';

type Deps = { database: Database };

type Sorting = {
  column: PgColumn;
  direction: 'asc' | 'desc';
  cast: 'bigint' | 'timestamptz' | 'text';
};

const SORTINGS: Record<MarketSort, Sorting> = {
  volume: { column: markets.volumeContractMicros, direction: 'desc', cast: 'bigint' },
  volume_24h: { column: markets.volume24hContractMicros, direction: 'desc', cast: 'bigint' },
  liquidity: { column: markets.liquidityUsdcMicros, direction: 'desc', cast: 'bigint' },
  newest: { column: markets.createdAt, direction: 'desc', cast: 'timestamptz' },
  closing: { column: markets.expectedEndAt, direction: 'asc', cast: 'timestamptz' },
  ticker: { column: markets.ticker, direction: 'asc', cast: 'text' },
};

/** A page of markets in every status, or in the requested one. */
export async function listMarkets(deps: Deps, input: ListMarketsInput): Promise<ListMarketsResult> {
  const sort = input.sort ?? 'volume';
  const sorting = SORTINGS[sort];
  const order = sorting.direction === 'desc' ? descending : asc;
  const rows = await deps.database.orm
    .select({ market: marketColumns, key: sql<string>`${sorting.column}::text` })
    .from(markets)
    .where(
      and(
        input.status ? eq(markets.status, input.status) : undefined,
        input.tickers ? inArray(markets.ticker, input.tickers) : undefined,
        input.eventTickers ? inArray(markets.eventTicker, input.eventTickers) : undefined,
        input.category ? eq(markets.category, input.category) : undefined,
        input.cursor ? after(sort, sorting, input.cursor) : undefined,
      ),
    )
    .orderBy(order(sorting.column), asc(markets.ticker))
    .limit(input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    markets: page.map((row) => marketRecordOf(row.market)),
    cursor:
      rows.length > input.limit && last ? writeCursor([sort, last.key, last.market.ticker]) : '',
  };
}

function after(sort: MarketSort, sorting: Sorting, cursor: string): SQL {
  const [sortOfCursor = '', key = '', ticker = ''] = readCursor(cursor, 3);
  const valid = sorting.cast === 'bigint' ? /^\d{1,19}$/.test(key) : key.length > 0;
  const isDate = sorting.cast === 'timestamptz';
  if (sortOfCursor !== sort || !valid || (isDate && Number.isNaN(Date.parse(key)))) {
    throw new ServiceError('invalid_request', 'The cursor belongs to another list.', {
      errors: [{ pointer: '/cursor', detail: 'must be used with the same parameters' }],
    });
  }
  const value = sql`${key}::${sql.raw(sorting.cast)}`;
  const beyond =
    sorting.direction === 'desc'
      ? sql`${sorting.column} < ${value}`
      : sql`${sorting.column} > ${value}`;
  // Redundant with the last condition, but lets the scan start inside the index.
  const from =
    sorting.direction === 'desc'
      ? sql`${sorting.column} <= ${value}`
      : sql`${sorting.column} >= ${value}`;
  return sql`(${from} and (${beyond} or (${sorting.column} = ${value} and ${markets.ticker} > ${ticker})))`;
}

/** The mirrored market; undefined when there is none. */
export async function findMarket(deps: Deps, ticker: string): Promise<MarketRecord | undefined> {
  const [row] = await deps.database.orm
    .select(marketColumns)
    .from(markets)
    .where(eq(markets.ticker, ticker))
    .limit(1);
  return row && marketRecordOf(row);
}

/** The mirrored markets among these, by ticker. */
export async function findMarkets(
  deps: Deps,
  tickers: readonly string[],
): Promise<Map<string, MarketRecord>> {
  if (tickers.length === 0) return new Map();
  const rows = await deps.database.orm
    .select(marketColumns)
    .from(markets)
    .where(isOneOf(markets.ticker, tickers));
  return new Map(rows.map((row) => [row.ticker, marketRecordOf(row)]));
}

/** Those of these markets that trade no more. */
export async function listClosed(deps: Deps, tickers: readonly string[]): Promise<string[]> {
  if (tickers.length === 0) return [];
  const rows = await deps.database.orm
    .select({ ticker: markets.ticker })
    .from(markets)
    .where(and(isOneOf(markets.ticker, tickers), inArray(markets.status, ['closed', 'settled'])));
  return rows.map(({ ticker }) => ticker);
}

/** @throws {ServiceError} market_not_found */
export async function getMarket(deps: Deps, ticker: string): Promise<MarketRecord> {
  const market = await findMarket(deps, ticker);
  if (!market) throw marketNotFound(ticker);
  return market;
}

/**
 * The event with all its markets in the order in which people read them; undefined when there is
 * none.
 */
export async function findEvent(
  deps: Deps,
  eventTicker: string,
): Promise<EventWithMarkets | undefined> {
  const [[found], rows] = await Promise.all([
    deps.database.orm
      .select({
        event: events,
        settlementSources: series.settlementSources,
        contractTermsUrl: series.contractTermsUrl,
      })
      .from(events)
      .leftJoin(series, eq(series.ticker, events.seriesTicker))
      .where(eq(events.ticker, eventTicker))
      .limit(1),
    deps.database.orm
      .select(marketColumns)
      .from(markets)
      .where(eq(markets.eventTicker, eventTicker)),
  ]);
  if (!found) return undefined;
  return {
    ...eventRecordOf(found.event),
    settlementSources: found.settlementSources ?? [],
    contractTermsUrl: found.contractTermsUrl,
    milestones: (found.event.milestones ?? []).map(milestoneOf),
    markets: orderOutcomes(rows.map(marketRecordOf)),
  };
}

/** Categories that have events, the largest first. */
export async function listCategories(deps: Deps): Promise<string[]> {
  const rows = await deps.database.orm
    .select({ category: events.category })
    .from(events)
    .where(sql`${events.activeMarketCount} > 0`)
    .groupBy(events.category)
    .orderBy(sql`count(*) desc`, asc(events.category));
  return rows.map((row) => row.category);
}
