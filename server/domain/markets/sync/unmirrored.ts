import { eq } from 'drizzle-orm';
import type { CatalogueEvent, CatalogueMarket } from '#server/exchange/catalogue.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { series } from '#server/platform/database/schema/markets.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache } from '#server/platform/timedCache.ts';
import { findEvent, findMarket } from '../catalogue/catalogue.ts';
import { marketNotFound } from '../catalogue/marketNotFound.ts';
import { marketRecordOf } from '../catalogue/marketRecord.ts';
import { orderOutcomes } from '../catalogue/orderOutcomes.ts';
import type { EventWithMarkets, MarketRecord } from '../catalogue/types.ts';
import { displayStyleOf } from './displayStyle.ts';
import { eventRow, marketRow } from './rows.ts';

type Deps = { database: Database; exchange: Exchange };

/** A market that is not mirrored, with the series of its event. */
type Found = { market: CatalogueMarket; seriesTicker: string; category: string };

/** Repeated requests for the same market, or for one that does not exist, share a read. */
const HOLDS_MS = 60_000;

const readUnmirroredEvent = memoizeByObject((exchange: Exchange) =>
  createTimedCache(HOLDS_MS, (ticker: string) => readEventFromExchange(exchange, ticker)),
);

const readUnmirrored = memoizeByObject((exchange: Exchange) =>
  createTimedCache(HOLDS_MS, (ticker: string) => readFromExchange(exchange, ticker)),
);

/**
 * The mirrored market, or the exchange's: the mirror does not collect markets that settled before
 * it began, and has a new one only after a moment.
 * @throws {ServiceError} market_not_found, exchange_unavailable
 */
export async function getListedMarket(deps: Deps, ticker: string): Promise<MarketRecord> {
  const market = (await findMarket(deps, ticker)) ?? (await findUnmirrored(deps, ticker));
  if (!market) throw marketNotFound(ticker);
  return market;
}

/** @throws {ServiceError} exchange_unavailable */
export async function findUnmirrored(
  { database, exchange }: Deps,
  ticker: string,
): Promise<MarketRecord | undefined> {
  const found = await readUnmirrored(exchange)(ticker).catch(unavailable);
  if (!found) return undefined;
  const { market, seriesTicker } = found;
  const [known] = await database.orm
    .select({ category: series.category })
    .from(series)
    .where(eq(series.ticker, seriesTicker));
  const category = known?.category || found.category || 'Other';
  const style = displayStyleOf(category, seriesTicker);
  const event = { seriesTicker, category, metadata: null, milestones: null, style };
  return marketRecordOf(marketRow(market, event, new Date()));
}

/**
 * The same for an event. @throws {ServiceError} not_found, exchange_unavailable
 */
export async function getListedEvent(deps: Deps, eventTicker: string): Promise<EventWithMarkets> {
  const event =
    (await findEvent(deps, eventTicker)) ?? (await findUnmirroredEvent(deps, eventTicker));
  if (!event) throw new ServiceError('not_found', `The exchange has no event "${eventTicker}".`);
  return event;
}

/** @throws {ServiceError} exchange_unavailable */
export async function findUnmirroredEvent(
  { database, exchange }: Deps,
  eventTicker: string,
): Promise<EventWithMarkets | undefined> {
  const event = await readUnmirroredEvent(exchange)(eventTicker).catch(unavailable);
  if (!event) return undefined;
  const [known] = await database.orm
    .select()
    .from(series)
    .where(eq(series.ticker, event.seriesTicker));
  const now = new Date();
  const row = eventRow(event, known, undefined, now);
  const style = displayStyleOf(row.category, row.seriesTicker);
  const fields = { ...row, metadata: null, milestones: null, style };
  const markets = event.markets.map((market) => marketRecordOf(marketRow(market, fields, now)));
  return {
    ...row,
    eventTicker,
    totalVolumeContractMicros: markets.reduce((sum, one) => sum + one.volumeContractMicros, 0n),
    totalMarketCount: markets.length,
    activeMarketCount: markets.filter(({ status }) => status === 'open').length,
    settlementSources: known?.settlementSources ?? [],
    contractTermsUrl: known?.contractTermsUrl ?? null,
    // Only the list contains them.
    milestones: [],
    markets: orderOutcomes(markets),
  };
}

function unavailable(cause: unknown): never {
  throw new ServiceError(
    'exchange_unavailable',
    'The exchange is not responding. Try again shortly.',
    { cause, retryAfterSeconds: 5 },
  );
}

async function readEventFromExchange(
  { catalogue }: Exchange,
  eventTicker: string,
): Promise<CatalogueEvent | undefined> {
  // The live list first, as for a market. An event stays listed when its markets are archived.
  const event = await catalogue.getEvent(eventTicker);
  if (!event) return undefined;
  const archived = await catalogue.listArchivedMarkets(eventTicker);
  const byTicker = new Map([...archived, ...event.markets].map((one) => [one.ticker, one]));
  const markets = [...byTicker.values()].filter(({ isOffered }) => isOffered);
  return markets.length === 0 ? undefined : { ...event, markets };
}

async function readFromExchange(exchange: Exchange, ticker: string): Promise<Found | undefined> {
  const { catalogue } = exchange;
  // The live list first: a market that is archived meanwhile is in the archive afterwards.
  const { markets } = await catalogue.listMarkets({ tickers: [ticker] });
  const market =
    markets.find((one) => one.ticker === ticker) ?? (await catalogue.getArchivedMarket(ticker));
  if (!market?.isOffered) return undefined;
  const event = await catalogue.getEvent(market.eventTicker);
  const seriesTicker = event?.seriesTicker ?? market.eventTicker.split('-')[0] ?? ticker;
  return { market, seriesTicker, category: event?.category ?? '' };
}
