import { eq } from 'drizzle-orm';
import type { CatalogueMarket } from '#server/exchange/catalogue.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { series } from '#server/platform/database/schema/markets.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache } from '#server/platform/timedCache.ts';
import { findMarket } from '../catalogue/catalogue.ts';
import { marketNotFound } from '../catalogue/marketNotFound.ts';
import { marketRecordOf } from '../catalogue/marketRecord.ts';
import type { MarketRecord } from '../catalogue/types.ts';
import { displayStyleOf } from './displayStyle.ts';
import { marketRow } from './rows.ts';

type Deps = { database: Database; exchange: Exchange };

/** A market that is not mirrored, with the series of its event. */
type Found = { market: CatalogueMarket; seriesTicker: string; category: string };

/** Repeated requests for the same market, or for one that does not exist, share a read. */
const HOLDS_MS = 60_000;

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
  const found = await readUnmirrored(exchange)(ticker).catch((cause: unknown) => {
    throw new ServiceError(
      'exchange_unavailable',
      'The exchange is not responding. Try again shortly.',
      { cause, retryAfterSeconds: 5 },
    );
  });
  if (!found) return undefined;
  const { market, seriesTicker } = found;
  const [known] = await database.orm
    .select({ category: series.category })
    .from(series)
    .where(eq(series.ticker, seriesTicker));
  const category = known?.category || found.category || 'Other';
  const looks = displayStyleOf(category, seriesTicker);
  const event = { seriesTicker, category, metadata: null, milestones: null, looks };
  return marketRecordOf(marketRow(market, event, new Date()));
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
