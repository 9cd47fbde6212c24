import type { Exchange, ExchangeMarket, FeeRule, OrderBook } from '#server/exchange/port.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache, type TimedCache } from '#server/platform/timedCache.ts';
import { marketNotFound } from '../catalogue/marketNotFound.ts';
import { createLadder, type Ladder, type Quote, type QuoteInput, unknownFee } from './quote.ts';

type Deps = { exchange: Exchange };

/** A market as the exchange has it now, with the fees in force: what an order is checked against. */
export type TradingMarket = { market: ExchangeMarket; fee: FeeRule };

/**
 * @throws {ServiceError} market_not_found, fee_unknown, exchange_unavailable
 */
export async function getTradingMarket(deps: Deps, ticker: string): Promise<TradingMarket> {
  const [market, fee] = await fromExchange(
    Promise.all([deps.exchange.getMarket(ticker), deps.exchange.getFeeRule(ticker)]),
  );
  if (!market) throw marketNotFound(ticker);
  if (fee.kind === 'unknown') throw unknownFee(ticker);
  return { market, fee };
}

/**
 * For so long everybody is told of one reading. It is about what an answer of the exchange takes to
 * travel, and without it every quote would be two of the few reads that the exchange allows.
 */
export const READING_HOLDS_MS = 250;
/** What is asked for often is read again by then, so that nobody waits for the exchange. */
const RENEW_AFTER_MS = 190;

/** A book and the moment it was asked for. */
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

/** The book as it was at most a moment ago. @throws what the exchange's adapter throws */
export function getRecentBook(deps: Deps, ticker: string): Promise<BookReading> {
  return sharedBy(deps.exchange).book(ticker);
}

/**
 * The same as it was at most a moment ago: for what is looked at once more before it counts.
 * @throws {ServiceError} market_not_found, fee_unknown, exchange_unavailable
 */
export function getRecentTradingMarket(deps: Deps, ticker: string): Promise<TradingMarket> {
  return sharedBy(deps.exchange).market(ticker);
}

export type RequestedQuote = { ticker: string } & Pick<
  QuoteInput,
  'action' | 'side' | 'contractMicros'
>;

/** A quote by the book as it was at `asOf`, at most a moment ago. */
export type MarketQuote = { quote: Quote; asOf: Date };

/**
 * What buying or selling would cost.
 * @throws {ServiceError} market_not_found, fee_unknown, exchange_unavailable
 */
export async function quoteMarket(deps: Deps, asked: RequestedQuote): Promise<MarketQuote> {
  const shared = sharedBy(deps.exchange);
  const [trading, reading] = await Promise.all([
    shared.market(asked.ticker),
    fromExchange(shared.book(asked.ticker)),
  ]);
  return quoteFrom(trading, reading, asked);
}

function quoteFrom(
  { market, fee }: TradingMarket,
  { book, asOf }: BookReading,
  asked: RequestedQuote,
): MarketQuote {
  const { action, side, contractMicros } = asked;
  // Nothing can be taken from a book that does not trade.
  const ladder =
    market.status === 'open'
      ? ladderOf(book, fee, asked)
      : createLadder({ book: { ...book, yesBids: [], noBids: [] }, fee, action, side });
  return { quote: ladder.quote(contractMicros), asOf };
}

type Ladders = { fee: FeeRule; made: Map<string, Ladder> };

const laddersOf = new WeakMap<OrderBook, Ladders>();

/** Whatever is asked of one reading of a book walks its levels once. */
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
