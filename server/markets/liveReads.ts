import { isServiceError, ServiceError } from '../errors.ts';
import type { VenueTrade } from '../venue/catalogue.ts';
import { VenueAnswerError } from '../venue/errors.ts';
import type { OrderBook, Venue } from '../venue/port.ts';
import { marketNotFound } from './tradingMarket.ts';

/** Reads that go to the exchange each time, because a copy would be stale when it is shown. */

type Deps = { venue: Venue };

/** @throws {ServiceError} market_not_found, exchange_unavailable */
async function ofMarket<Answer>(
  deps: Deps,
  ticker: string,
  read: () => Promise<Answer>,
): Promise<Answer> {
  try {
    if (await deps.venue.getMarket(ticker)) return await read();
  } catch (cause) {
    if (isServiceError(cause)) throw cause;
    throw new ServiceError(
      'exchange_unavailable',
      'The exchange does not answer at the moment. Try again shortly.',
      { cause, retryAfterSeconds: 5 },
    );
  }
  throw marketNotFound(ticker);
}

/** The book of a market. @throws {ServiceError} market_not_found, exchange_unavailable */
export function getOrderBook(deps: Deps, ticker: string): Promise<OrderBook> {
  return ofMarket(deps, ticker, () => deps.venue.getOrderBook(ticker));
}

/**
 * The latest trades, by whomever. The cursor is the exchange's own.
 * @throws {ServiceError} market_not_found, invalid_request, exchange_unavailable
 */
export function listTrades(
  deps: Deps,
  query: { ticker: string; limit: number; cursor?: string },
): Promise<{ trades: VenueTrade[]; cursor: string }> {
  return ofMarket(deps, query.ticker, async () => {
    try {
      return await deps.venue.catalogue.listTrades(query);
    } catch (cause) {
      if (!query.cursor || !isRefusal(cause)) throw cause;
      throw new ServiceError('invalid_request', 'The cursor is not one of ours.', {
        errors: [{ pointer: '/query/cursor', detail: 'must be taken from an earlier answer' }],
        cause,
      });
    }
  });
}

/** Whether the exchange understood the request and did not like it. */
function isRefusal(cause: unknown): boolean {
  return cause instanceof VenueAnswerError && cause.status === 400;
}
