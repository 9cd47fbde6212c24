import type { Exchange, ExchangeMarket, FeeRule, OrderBook } from '#server/exchange/port.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache, type TimedCache } from '#server/platform/timedCache.ts';
import { marketNotFound } from '../catalogue/marketNotFound.ts';
import { createLadder, type Ladder, type Quote, type QuoteInput, unknownFee } from './quote.ts';
import { getRecentStatus, withShardPause } from './shardPause.ts';

type Deps = { exchange: Exchange };

/**
 * The exchange's current market and fees, which orders are validated against. A market whose shard
 * is paused is paused.
 */
export type TradingMarket = { market: ExchangeMarket; fee: FeeRule };

/**
 * @throws {ServiceError} market_not_found, fee_unknown, exchange_unavailable
 */
export async function getTradingMarket(deps: Deps, ticker: string): Promise<TradingMarket> {
  const [market, fee, status] = await fromExchange(
    Promise.all([
      deps.exchange.getMarket(ticker),
      deps.exchange.getFeeRule(ticker),
      getRecentStatus(deps.exchange),
    ]),
  );
  if (!market) throw marketNotFound(ticker);
  // A settled market has no more fees; its event may have left the exchange's list.
  if (fee.kind === 'unknown' && market.status !== 'settled') throw unknownFee(ticker);
  return { market: withShardPause(market, status), fee };
}

/**
 * Callers share one read for this long. It is about a round trip to the exchange; without it every
 * quote would consume two requests of the exchange's rate limit.
 */
export const READING_HOLDS_MS = 250;
/** A value in demand is read again by then, so that no caller waits for the exchange. */
const RENEW_AFTER_MS = 190;

/** A book and the time of its request. */
export type BookReading = { book: OrderBook; asOf: Date };

type Shared = { market: TimedCache<TradingMarket>; book: TimedCache<BookReading> };

const sharedBy = memoizeByObject((exchange: Exchange): Shared => {
  const options = { renewAfterMs: RENEW_AFTER_MS };
  return {
    market: createTimedCache(
      READING_HOLDS_MS,
      (ticker) => getTradingMarket({ exchange }, ticker),
      options,
    ),
    book: createTimedCache(
      READING_HOLDS_MS,
      async (ticker) => {
        const asOf = new Date();
        return { book: await exchange.getOrderBook(ticker), asOf };
      },
      options,
    ),
  };
});

/** The book, at most a moment old. @throws what the exchange's adapter throws */
export function getRecentBook(deps: Deps, ticker: string): Promise<BookReading> {
  return sharedBy(deps.exchange).book(ticker);
}

/**
 * The trading market, at most a moment old: for values that are checked again before they count.
 * @throws {ServiceError} market_not_found, fee_unknown, exchange_unavailable
 */
export function getRecentTradingMarket(deps: Deps, ticker: string): Promise<TradingMarket> {
  return sharedBy(deps.exchange).market(ticker);
}

export type RequestedQuote = { ticker: string } & Pick<
  QuoteInput,
  'action' | 'side' | 'contractMicros'
>;

/** A quote by the book as of `asOf`, at most a moment ago. */
export type MarketQuote = { quote: Quote; asOf: Date };

/**
 * The cost of buying, or the proceeds of selling.
 * @param tradableOf the part of a book that an order of ours may take
 * @throws {ServiceError} quantity_not_allowed, market_not_found, fee_unknown, exchange_unavailable
 */
export async function quoteMarket(
  deps: Deps,
  asked: RequestedQuote,
  tradableOf: (book: OrderBook) => Promise<OrderBook>,
): Promise<MarketQuote> {
  if (asked.contractMicros === 0n) throw nothingAsked();
  const shared = sharedBy(deps.exchange);
  const [trading, { book, asOf }] = await Promise.all([
    shared.market(asked.ticker),
    fromExchange(shared.book(asked.ticker)),
  ]);
  return quoteFrom(trading, { book: await tradableOf(book), asOf }, asked);
}

function nothingAsked(): ServiceError {
  const detail = 'must be more than zero';
  return new ServiceError('quantity_not_allowed', `The quantity ${detail}.`, {
    errors: [{ pointer: '/query/contracts', detail }],
  });
}

function quoteFrom(
  { market, fee }: TradingMarket,
  { book, asOf }: BookReading,
  asked: RequestedQuote,
): MarketQuote {
  const { action, side, contractMicros } = asked;
  // A market that does not trade has no available contracts.
  const ladder =
    market.status === 'open'
      ? ladderOf(book, fee, asked)
      : createLadder({ book: { ...book, yesBids: [], noBids: [] }, fee, action, side });
  return { quote: ladder.quote(contractMicros), asOf };
}

type Ladders = { fee: FeeRule; made: Map<string, Ladder> };

const laddersOf = new WeakMap<OrderBook, Ladders>();

/** All quotes of one reading share a ladder. */
function ladderOf(
  book: OrderBook,
  fee: FeeRule,
  { action, side }: Pick<RequestedQuote, 'action' | 'side'>,
): Ladder {
  let ladders = laddersOf.get(book);
  if (ladders?.fee !== fee) {
    ladders = { fee, made: new Map() };
    laddersOf.set(book, ladders);
  }
  const name = `${action} ${side}`;
  const known = ladders.made.get(name);
  if (known) return known;
  const made = createLadder({ book, fee, action, side });
  ladders.made.set(name, made);
  return made;
}

async function fromExchange<Reply>(asked: Promise<Reply>): Promise<Reply> {
  try {
    return await asked;
  } catch (cause) {
    throw new ServiceError(
      'exchange_unavailable',
      'The exchange is not responding. Nothing was created; try again shortly.',
      { cause, retryAfterSeconds: 5 },
    );
  }
}
