import { ServiceError } from '../errors.ts';
import type { FeeRule, Venue, VenueMarket } from '../venue/port.ts';
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
 * What buying or selling would cost at this moment, from a fresh book.
 * @throws {ServiceError} market_not_found, fee_unknown, exchange_unavailable
 */
export async function quoteMarket(
  deps: Deps,
  input: { ticker: string } & Pick<QuoteInput, 'action' | 'side' | 'contractMicros'>,
): Promise<Quote> {
  const [{ market, fee }, book] = await Promise.all([
    getTradingMarket(deps, input.ticker),
    fromExchange(deps.venue.getOrderBook(input.ticker)),
  ]);
  const open = market.status === 'open';
  return quoteFromBook({ ...input, fee, book: open ? book : { ...book, yesBids: [], noBids: [] } });
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
