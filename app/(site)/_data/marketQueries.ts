import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import type { OrderBook, PriceHistory, TradeList } from '#lib/api/schemas/market.ts';
import { marketKeys } from '#lib/browser/queries/marketKeys.ts';
import { firstRange } from '#lib/market/chartRanges.ts';
import { SHOWN_TRADES } from '#lib/market/marketPage.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import { findMarket } from '#server/domain/markets/catalogue/catalogue.ts';
import type { MarketRecord } from '#server/domain/markets/catalogue/types.ts';
import { listPriceHistory } from '#server/domain/markets/prices/history.ts';
import { getOrderBook, listTrades } from '#server/domain/markets/prices/liveReads.ts';
import {
  serializeMarket,
  serializeOrderBook,
  serializePricePoint,
  serializeTrade,
} from '#server/domain/markets/serializeMarket.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache } from '#server/platform/timedCache.ts';
import { withTimeout } from '#server/platform/withTimeout.ts';
import type { Runtime } from '#server/runtime.ts';
import { mayAskExchange } from './exchangeBudget.ts';
import { findPageMarket } from './markets.ts';

/** The longest time a page waits for data that the browser can request itself. */
const TIMEOUT_MS = 200;
/** Visitors of the same market within this time get the same data. */
const SHARED_MS = 1_000;

/** Data that the server did not have in time is left out, and the page requests it. */
type LiveReads = {
  atMs: number;
  orderBook?: OrderBook | undefined;
  trades?: TradeList | undefined;
  priceHistory?: PriceHistory | undefined;
};

const liveReads = memoizeByObject((runtime: Runtime) =>
  createTimedCache<LiveReads>(SHARED_MS, async (ticker) => {
    const atMs = Date.now();
    const market = mayAskExchange() ? await findMarket(runtime, ticker) : undefined;
    if (!market) return { atMs };
    const [orderBook, trades, priceHistory] = await Promise.all([
      atHand(bookOf(runtime, ticker)),
      atHand(tradesOf(runtime, market)),
      atHand(historyOf(runtime, market)),
    ]);
    return { atMs, orderBook, trades, priceHistory };
  }),
);

export async function marketQueries(ticker: string): Promise<DehydratedState | undefined> {
  const market = await findPageMarket(ticker);
  if (!market) return undefined;
  const runtime = await getRuntime();
  const { atMs: updatedAt, orderBook, trades, priceHistory } = await liveReads(runtime)(ticker);
  const cache = new QueryClient();
  const detail = { market: serializeMarket(market, runtime.config.publicBaseUrl) };
  cache.setQueryData(marketKeys.detail(ticker), detail, { updatedAt });
  cache.setQueryData(marketKeys.orderBook(ticker), orderBook, { updatedAt });
  cache.setQueryData(marketKeys.trades(ticker), trades, { updatedAt });
  if (priceHistory) {
    cache.setQueryData(marketKeys.priceHistory(ticker, priceHistory.range), priceHistory, {
      updatedAt,
    });
  }
  return dehydrate(cache);
}

/** The page handles any failure: it requests again and shows the error. */
async function atHand<Reply>(asked: Promise<Reply>): Promise<Reply | undefined> {
  return await withTimeout(
    asked.catch(() => undefined),
    TIMEOUT_MS,
  );
}

async function bookOf(runtime: Runtime, ticker: string) {
  const { book, asOf } = await getOrderBook(runtime, ticker);
  return serializeOrderBook(book, asOf);
}

async function tradesOf(runtime: Runtime, { ticker, openAt: openedAt }: MarketRecord) {
  const { trades, cursor } = await listTrades(runtime, { ticker, openedAt, limit: SHOWN_TRADES });
  return { trades: trades.map(serializeTrade), cursor };
}

async function historyOf(runtime: Runtime, market: MarketRecord): Promise<PriceHistory> {
  const { ticker, openAt, closeAt } = market;
  const life = { openTime: openAt.toISOString(), closeTime: closeAt.toISOString() };
  const range = firstRange(life, Date.now());
  const points = await listPriceHistory(runtime, market, range);
  return { ticker, range, points: points.map(serializePricePoint) };
}
