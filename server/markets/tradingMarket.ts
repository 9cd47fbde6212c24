import { ServiceError } from '../errors.ts';
import { createTimedCache } from '../timedCache.ts';
import type { FeeRule, OrderBook, Venue, VenueMarket } from '../venue/port.ts';
import { type Quote, type QuoteInput, quoteFromBook, unknownFee } from './quote.ts';

type Deps = { venue: Venue };

/** A market as the exchange has it now, with the fees in force: what an order is checked against. */
export type TradingMarket = { market: VenueMarket; fee: FeeRule };

/**
 * @throws {ServiceError} market_not_found, fee_unknown, exchange_unavailable
 */
export async function getTradingMarket(deps: Deps, ticker: string): Promise<TradingMarket> {
  const [market, fee] = await fromExchange(
    Promise.all([deps.venue.getMarket(ticker), deps.venue.getFeeRule(ticker)]),
  );
  if (!market) throw marketNotFound(ticker);
  if (fee.kind === 'unknown') throw unknownFee(ticker);
  return { market, fee };
}

/**
 * For so long everybody is told of one reading. It is less than an answer of the exchange takes to
 * travel, and without it every quote would be two of the few reads that the exchange allows.
 */
const SHARED_MS = 200;

type Shared = {
  market(ticker: string): Promise<TradingMarket>;
  book(ticker: string): Promise<{ book: OrderBook; asOf: Date }>;
};

const sharedOf = new WeakMap<Venue, Shared>();

function sharedBy(venue: Venue): Shared {
  const known = sharedOf.get(venue);
  if (known) return known;
  const shared: Shared = {
    market: createTimedCache(SHARED_MS, (ticker) => getTradingMarket({ venue }, ticker)),
    book: createTimedCache(SHARED_MS, async (ticker) => {
      const asOf = new Date();
      return { book: await fromExchange(venue.getOrderBook(ticker)), asOf };
    }),
  };
  sharedOf.set(venue, shared);
  return shared;
}

/**
 * The same as it was at most a moment ago: for what is looked at once more before it counts.
 * @throws {ServiceError} market_not_found, fee_unknown, exchange_unavailable
 */
export function getRecentTradingMarket(deps: Deps, ticker: string): Promise<TradingMarket> {
  return sharedBy(deps.venue).market(ticker);
}

/**
 * What buying or selling would cost by the book as it was at `asOf`, at most a moment ago.
 * @throws {ServiceError} market_not_found, fee_unknown, exchange_unavailable
 */
export async function quoteMarket(
  deps: Deps,
  input: { ticker: string } & Pick<QuoteInput, 'action' | 'side' | 'contractMicros'>,
): Promise<{ quote: Quote; asOf: Date }> {
  const shared = sharedBy(deps.venue);
  const [{ market, fee }, { book, asOf }] = await Promise.all([
    shared.market(input.ticker),
    shared.book(input.ticker),
  ]);
  const open = market.status === 'open';
  const quote = quoteFromBook({
    ...input,
    fee,
    book: open ? book : { ...book, yesBids: [], noBids: [] },
  });
  return { quote, asOf };
}

export function marketNotFound(ticker: string): ServiceError {
  return new ServiceError('market_not_found', `The exchange has no market "${ticker}".`);
}

async function fromExchange<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (cause) {
    throw new ServiceError(
      'exchange_unavailable',
      'The exchange does not answer at the moment. Nothing was created; try again shortly.',
      { cause, retryAfterSeconds: 5 },
    );
  }
}
