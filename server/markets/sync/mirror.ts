import { inArray, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { events, markets, series } from '../../db/schema/markets.ts';
import type { Log } from '../../log.ts';
import type { CatalogueEvent, CatalogueMarket, CatalogueSeries } from '../../venue/catalogue.ts';
import { noteMarketChanges } from '../changes/noteChanges.ts';
import { MARKET_STATUSES, statusBit } from '../statusMask.ts';
import {
  type EventFacts,
  eventRow,
  lastOfEach,
  marketRow,
  type SeriesFacts,
  withTokenIds,
} from './rows.ts';
import { writeTolerantly } from './tolerantWrite.ts';
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
    await upsert(database, series, 'ticker', part, overwrite(series, ['ticker']));
  }
}

/** Events and the markets they came with. Answers the tickers of the events that changed. */
export async function saveEvents(
  deps: MirrorDeps,
  list: readonly CatalogueEvent[],
): Promise<string[]> {
  const { database, log } = deps;
  const offered = lastOfEach(list, (event) => event.eventTicker).filter(isOfferedEvent);
  if (offered.length === 0) return [];
  const now = new Date();
  const [facts, known] = await Promise.all([
    seriesFacts(database, [...new Set(offered.map((event) => event.seriesTicker))]),
    eventFacts(
      database,
      offered.map((event) => event.eventTicker),
    ),
  ]);
  const rows = offered
    .map((event) =>
      eventRow(event, facts.get(event.seriesTicker), known.get(event.eventTicker), now),
    )
    .filter((row) => known.get(row.ticker)?.contentHash !== row.contentHash);
  for (const part of parts(rows)) {
    await writeTolerantly(part, log, (some) =>
      upsert(database, events, 'ticker', some, eventChanges()),
    );
    await noteMarketChanges(database);
  }
  const { changedEvents } = await saveMarkets(
    deps,
    offered.flatMap((event) => event.markets),
  );
  return [...new Set([...rows.map((row) => row.ticker), ...changedEvents])];
}

/** An event that has nothing but combinations and provisional listings is not shown. */
function isOfferedEvent(event: CatalogueEvent): boolean {
  return event.markets.length === 0 || event.markets.some((market) => market.isOffered);
}

/**
 * Markets of events that are mirrored already; answers the events of those that changed and the
 * events that are not mirrored. A market of which the exchange says what it said before is left
 * alone: reading everything again costs no writing.
 */
export async function saveMarkets(
  deps: MirrorDeps,
  list: readonly CatalogueMarket[],
): Promise<{ changedEvents: string[]; unknownEvents: string[] }> {
  const { database, log } = deps;
  const now = new Date();
  const offered = lastOfEach(list, (market) => market.ticker).filter((market) => market.isOffered);
  const [facts, known] = await Promise.all([
    eventFacts(database, [...new Set(offered.map((market) => market.eventTicker))]),
    marketFacts(
      database,
      offered.map((market) => market.ticker),
    ),
  ]);
  const unknownEvents = new Set<string>();
  const rows = offered.flatMap((market) => {
    const event = facts.get(market.eventTicker);
    if (!event) {
      unknownEvents.add(market.eventTicker);
      return [];
    }
    const before = known.get(market.ticker);
    const row = marketRow(market, event, now);
    if (before?.contentHash === row.contentHash) return [];
    if (before && contradicts(before.payoutYesMicros, row.payoutYesMicros)) {
      log.error(
        { ticker: market.ticker, before: before.payoutYesMicros, now: row.payoutYesMicros },
        'the exchange changed a result that was final',
      );
    }
    return [row];
  });
  for (const part of parts(rows)) {
    await writeTolerantly(part, log, (some) =>
      upsert(database, markets, 'ticker', some.map(withTokenIds), marketChanges()),
    );
    await noteMarketChanges(
      database,
      part.map((row) => row.ticker),
    );
  }
  return {
    changedEvents: [...new Set(rows.map((row) => row.eventTicker))],
    unknownEvents: [...unknownEvents],
  };
}

function contradicts(before: bigint | null, after: bigint | null | undefined): boolean {
  return before !== null && after !== null && after !== undefined && before !== after;
}

/** Renews the sums of events from their markets; events whose sums stay are not written. */
export async function renewSums(database: Database, tickers: string[]): Promise<void> {
  for (const part of parts(tickers)) {
    await database.orm.execute(sql`
      update events e set
        total_market_count = s.total, active_market_count = s.active,
        volume_contract_micros = s.volume, volume_24h_contract_micros = s.volume_24h,
        liquidity_usdc_micros = s.liquidity, newest_at = s.newest, closes_next_at = s.closes_next,
        status_mask = s.status_mask, ranked_at = now()
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
        from markets where ${inArray(markets.eventTicker, part)} group by event_ticker
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
  const rows = await database.orm.select().from(series).where(inArray(series.ticker, tickers));
  return new Map(rows.map((row) => [row.ticker, row]));
}

type KnownEvent = EventFacts & { contentHash: string | null };

async function eventFacts(database: Database, tickers: string[]): Promise<Map<string, KnownEvent>> {
  const found = new Map<string, KnownEvent>();
  for (const part of parts(tickers)) {
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
      .where(inArray(events.ticker, part));
    for (const { ticker, ...facts } of rows) found.set(ticker, facts);
  }
  return found;
}

type KnownMarket = { contentHash: string | null; payoutYesMicros: bigint | null };

async function marketFacts(
  database: Database,
  tickers: string[],
): Promise<Map<string, KnownMarket>> {
  const found = new Map<string, KnownMarket>();
  for (const part of parts(tickers, 5_000)) {
    const rows = await database.orm
      .select({
        ticker: markets.ticker,
        contentHash: markets.contentHash,
        payoutYesMicros: markets.payoutYesMicros,
      })
      .from(markets)
      .where(inArray(markets.ticker, part));
    for (const { ticker, ...facts } of rows) found.set(ticker, facts);
  }
  return found;
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
