import { costMicros, MICROS, minMicros } from '#lib/money.ts';
import { ServiceError } from '../errors.ts';
import type { BookLevel, FeeRule, OrderBook, OutcomeSide, TradeAction } from '../venue/port.ts';
import { takerFeeMicros } from './feeCharge.ts';

export type QuoteInput = {
  book: OrderBook;
  fee: FeeRule;
  action: TradeAction;
  side: OutcomeSide;
  contractMicros: bigint;
};

export type Quote = {
  /** Whether the book holds all that was asked for. */
  fillable: boolean;
  /** What it holds of it. */
  contractMicros: bigint;
  /** Buy: to be paid, fee included. Sell: to be received, fee taken off. */
  costUsdcMicros: bigint;
  feeUsdcMicros: bigint;
  /** The last level that is touched; undefined on an empty book. */
  worstPriceMicros: bigint | undefined;
  bestPriceMicros: bigint | undefined;
};

/**
 * The levels that an order takes, best first, in prices of the side it trades. Selling meets that
 * side's bids; buying meets the other side's, since an offer of YES at p is a bid of NO at 1 − p.
 */
export function levelsFor(
  book: OrderBook,
  action: TradeAction,
  side: OutcomeSide,
): readonly BookLevel[] {
  const [own, other] = side === 'yes' ? [book.yesBids, book.noBids] : [book.noBids, book.yesBids];
  if (action === 'sell') return own;
  return other.map(({ priceMicros, contractMicros }) => ({
    priceMicros: MICROS - priceMicros,
    contractMicros,
  }));
}

/**
 * Walks the book level by level, with the fee of each level reckoned and rounded up by itself: the
 * fee curve bends, so the average price must not be used.
 * @throws {ServiceError} fee_unknown
 */
export function quoteFromBook(input: QuoteInput): Quote {
  let left = input.contractMicros;
  let valueMicros = 0n;
  let feeUsdcMicros = 0n;
  let best: bigint | undefined;
  let worst: bigint | undefined;
  for (const level of levelsFor(input.book, input.action, input.side)) {
    if (left === 0n) break;
    const taken = minMicros(left, level.contractMicros);
    if (taken <= 0n) continue;
    const fee = takerFeeMicros(input.fee, taken, level.priceMicros);
    if (fee === undefined) throw unknownFee(input.book.ticker);
    feeUsdcMicros += fee;
    valueMicros += costMicros(taken, level.priceMicros, input.action === 'buy' ? 'up' : 'down');
    left -= taken;
    best ??= level.priceMicros;
    worst = level.priceMicros;
  }
  return {
    fillable: left === 0n,
    contractMicros: input.contractMicros - left,
    costUsdcMicros:
      input.action === 'buy' ? valueMicros + feeUsdcMicros : valueMicros - feeUsdcMicros,
    feeUsdcMicros,
    worstPriceMicros: worst,
    bestPriceMicros: best,
  };
}

export function unknownFee(ticker: string): ServiceError {
  return new ServiceError(
    'fee_unknown',
    `The exchange charges the market ${ticker} by a rule that this service does not know, so it ` +
      'is neither quoted nor traded here. Nothing was created.',
  );
}
