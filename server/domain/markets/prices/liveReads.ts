import type { ExchangeTrade } from '#server/exchange/catalogue.ts';
import { ExchangeResponseError } from '#server/exchange/errors.ts';
import type { Exchange } from '#server/exchange/port.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache } from '#server/platform/timedCache.ts';
import type { LiveMarkets } from '../books/liveMarkets.ts';
import { type BookReading, getRecentBook } from '../quotes/tradingMarket.ts';

/** Reads that go to the exchange, because a mirrored copy would be stale. */

type Deps = { exchange: Exchange; liveMarkets: Pick<LiveMarkets, 'getBook'> };

/** A live book that was confirmed within this time is used; the exchange is asked otherwise. */
const LIVE_MS = 2_000;

type TradesAsked = { ticker: string; openedAt: Date; limit: number; cursor?: string };
/** A cached page's key, as JSON. */
type TradesKey = { ticker: string; limit: number; openedAt: string };
type TradesPage = { trades: ExchangeTrade[]; cursor: string };

/**
 * Concurrent readers of one market share a read; otherwise each open page would consume the
 * exchange's rate limit.
 */
const SHARED_MS = 1_000;

const latestTrades = memoizeByObject((exchange: Exchange) =>
  createTimedCache<TradesPage>(SHARED_MS, (key) => {
    const { openedAt, ...asked } = JSON.parse(key) as TradesKey;
    return exchange.catalogue.listTrades({ ...asked, openedAt: new Date(openedAt) });
  }),
);

/** @throws {ServiceError} exchange_unavailable */
async function fromExchange<Reply>(asked: Promise<Reply>): Promise<Reply> {
  try {
    return await asked;
  } catch (cause) {
    throw unavailable(cause);
  }
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError(
    'exchange_unavailable',
    'The exchange is not responding. Try again shortly.',
    { cause, retryAfterSeconds: 5 },
  );
}

/**
 * The book of a market: the live one while it is followed and current, else a read that is at most a moment
 * old.
 * @throws {ServiceError} exchange_unavailable
 */
export async function getOrderBook(deps: Deps, ticker: string): Promise<BookReading> {
  const live = deps.liveMarkets.getBook(ticker);
  if (live && Date.now() - live.asOf.getTime() <= LIVE_MS) return live;
  return await fromExchange(getRecentBook(deps, ticker));
}

/**
 * The latest trades of all participants. The cursor is the exchange's own.
 * @throws {ServiceError} invalid_request, exchange_unavailable
 */
export async function listTrades(deps: Deps, asked: TradesAsked): Promise<TradesPage> {
  if (asked.cursor === undefined) {
    return await fromExchange(latestTrades(deps.exchange)(JSON.stringify(asked)));
  }
  try {
    return await deps.exchange.catalogue.listTrades(asked);
  } catch (cause) {
    throw isRefusal(cause) ? strangeCursor(cause) : unavailable(cause);
  }
}

function strangeCursor(cause: unknown): ServiceError {
  return new ServiceError('invalid_request', 'The cursor is not valid.', {
    errors: [{ pointer: '/query/cursor', detail: 'must come from an earlier response' }],
    cause,
  });
}

/** Whether the exchange rejected the request as invalid. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof ExchangeResponseError && cause.status === 400;
}
