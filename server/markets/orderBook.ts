import { ServiceError } from '../errors.ts';
import type { OrderBook, Venue } from '../venue/port.ts';
import { marketNotFound } from './tradingMarket.ts';

/**
 * The book of a market as the exchange has it now.
 * @throws {ServiceError} market_not_found, exchange_unavailable
 */
export async function getOrderBook(deps: { venue: Venue }, ticker: string): Promise<OrderBook> {
  try {
    const [market, book] = await Promise.all([
      deps.venue.getMarket(ticker),
      deps.venue.getOrderBook(ticker),
    ]);
    if (market) return book;
  } catch (cause) {
    throw new ServiceError(
      'exchange_unavailable',
      'The exchange does not answer at the moment. Try again shortly.',
      { cause, retryAfterSeconds: 5 },
    );
  }
  throw marketNotFound(ticker);
}
