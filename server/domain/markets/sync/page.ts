import type { CatalogueEvent, CatalogueMarket } from '#server/exchange/catalogue.ts';
import type { Database } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { events, markets, series } from '#server/platform/database/schema/markets.ts';
import type { Log } from '#server/platform/log.ts';
import { lastOfEach } from '../catalogue/lastOfEach.ts';
import { displayStyleOf } from './displayStyle.ts';
import type { ListingHash } from './listingHashes.ts';
import {
  type EventFields,
  type EventRow,
  eventRow,
  type KnownTokenIds,
  listingHashOf,
  type MarketRow,
  marketRow,
  type NewMarketRow,
  type SeriesFields,
  tokenIdsOf,
} from './rows.ts';

/** The part of a page that must be written; unchanged listings are skipped. */
export type MirrorPage = { events: EventRow[]; markets: FoundRow[]; marks: ListingHash[] };

/** Determines which of these events and markets changed. Writes nothing. */
export async function preparePage(
  { database, log }: { database: Database; log: Log },
  list: readonly CatalogueEvent[],
): Promise<MirrorPage> {
  const page: MirrorPage = { events: [], markets: [], marks: [] };
  const offered = lastOfEach(list, (event) => event.eventTicker).filter(isOfferedEvent);
  if (offered.length === 0) return page;
  const now = new Date();
  const [seriesKnown, eventsKnown] = await Promise.all([
    seriesFacts(database, [...new Set(offered.map((event) => event.seriesTicker))]),
    eventFacts(
      database,
      offered.map((event) => event.eventTicker),
    ),
  ]);
  const byEvent = Map.groupBy(
    offeredOf(offered.flatMap((event) => event.markets)),
    (market) => market.eventTicker,
  );
  const rows: NewMarketRow[] = [];
  for (const event of offered) {
    const known = eventsKnown.get(event.eventTicker);
    const row = eventRow(event, seriesKnown.get(event.seriesTicker), known, now);
    const facts = factsOf({ ...row, milestones: row.milestones ?? null }, known);
    const own = (byEvent.get(row.ticker) ?? []).map((market) => marketRow(market, facts, now));
    byEvent.delete(row.ticker);
    const whole = listingHashOf(row, own);
    if (known?.listingHash === whole) continue;
    rows.push(...own);
    if (!known || known.contentHash !== row.contentHash) {
      page.events.push({ ...row, listingHash: known ? null : whole });
    } else page.marks.push({ ticker: row.ticker, before: known.listingHash, whole });
  }
  // A page may list a market under an event other than its own.
  for (const [ticker, facts] of await eventFacts(database, [...byEvent.keys()])) {
    for (const market of byEvent.get(ticker) ?? []) rows.push(marketRow(market, facts, now));
    page.marks.push({ ticker, before: null, whole: null });
  }
  page.markets = await newRows(database, log, rows);
  return page;
}

/** Rows of changed markets, without markets of unknown events. */
export async function prepareMarkets(
  { database, log }: { database: Database; log: Log },
  list: readonly CatalogueMarket[],
): Promise<{ rows: MarketRow[]; unknownEvents: string[] }> {
  const offered = offeredOf(list);
  const named = [...new Set(offered.map((market) => market.eventTicker))];
  const facts = await eventFacts(database, named);
  const now = new Date();
  const rows = offered.flatMap((market) => {
    const event = facts.get(market.eventTicker);
    return event ? [marketRow(market, event, now)] : [];
  });
  return {
    rows: await newRows(database, log, rows),
    unknownEvents: named.filter((ticker) => !facts.has(ticker)),
  };
}

/** Hides an event that has only combinations and provisional listings. */
function isOfferedEvent(event: CatalogueEvent): boolean {
  return event.markets.length === 0 || event.markets.some((market) => market.isOffered);
}

function offeredOf(list: readonly CatalogueMarket[]): CatalogueMarket[] {
  return lastOfEach(list, (market) => market.ticker).filter((market) => market.isOffered);
}

/** A row to write, and whether its ticker was new at the comparison. */
export type FoundRow = MarketRow & { isAdded: boolean };

/** The rows that differ from what is stored, with their token ids. */
async function newRows(
  database: Database,
  log: Log,
  rows: readonly NewMarketRow[],
): Promise<FoundRow[]> {
  const known = await marketFields(
    database,
    rows.map((row) => row.ticker),
  );
  return rows.flatMap((row) => {
    const before = known.get(row.ticker);
    if (before?.contentHash === row.contentHash) return [];
    if (before && contradicts(before.payoutYesMicros, row.payoutYesMicros)) {
      log.error(
        { ticker: row.ticker, before: before.payoutYesMicros, now: row.payoutYesMicros },
        'the exchange changed a result that was final',
      );
    }
    return [Object.assign(row, tokenIdsOf(row.ticker, before), { isAdded: before === undefined })];
  });
}

function contradicts(before: bigint | null, after: bigint | null | undefined): boolean {
  return before !== null && after !== null && after !== undefined && before !== after;
}

async function seriesFacts(
  database: Database,
  tickers: string[],
): Promise<Map<string, SeriesFields>> {
  if (tickers.length === 0) return new Map();
  const rows = await database.orm.select().from(series).where(isOneOf(series.ticker, tickers));
  return new Map(rows.map((row) => [row.ticker, row]));
}

type KnownEvent = EventFields & { contentHash: string | null; listingHash: string | null };

function factsOf(
  row: Pick<EventFields, 'seriesTicker' | 'category' | 'milestones'>,
  known: Pick<EventFields, 'metadata'> | undefined,
): EventFields {
  const { seriesTicker, category, milestones } = row;
  const style = displayStyleOf(category, seriesTicker);
  return { seriesTicker, category, milestones, metadata: known?.metadata ?? null, style };
}

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
      listingHash: events.listingHash,
    })
    .from(events)
    .where(isOneOf(events.ticker, tickers));
  return new Map(
    rows.map(({ ticker, ...known }) => [ticker, { ...known, ...factsOf(known, known) }]),
  );
}

type KnownMarket = KnownTokenIds & {
  contentHash: string | null;
  payoutYesMicros: bigint | null;
};

async function marketFields(
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
