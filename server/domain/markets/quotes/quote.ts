import { costMicros, MICROS, minMicros } from '#lib/money.ts';
import type {
  BookLevel,
  FeeRule,
  OrderBook,
  OutcomeSide,
  TradeAction,
} from '#server/exchange/port.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { takerFeeMicros } from './feeCharge.ts';

export type QuoteInput = {
  book: OrderBook;
  fee: FeeRule;
  action: TradeAction;
  side: OutcomeSide;
  contractMicros: bigint;
};

export type Quote = {
  /** Whether the book holds the whole requested amount. */
  fillable: boolean;
  /** The part of it that the book holds. */
  contractMicros: bigint;
  /** Buy: amount to pay, fee included. Sell: amount to receive, fee deducted. */
  costUsdcMicros: bigint;
  feeUsdcMicros: bigint;
  /** The last level reached; undefined on an empty book. */
  worstPriceMicros: bigint | undefined;
  bestPriceMicros: bigint | undefined;
};

/** One non-empty level, and the sums up to and including it. */
type Rung = {
  priceMicros: bigint;
  contractMicros: bigint;
  uptoContractMicros: bigint;
  uptoValueMicros: bigint;
  uptoFeeMicros: bigint;
};

const NOTHING: Rung = {
  priceMicros: 0n,
  contractMicros: 0n,
  uptoContractMicros: 0n,
  uptoValueMicros: 0n,
  uptoFeeMicros: 0n,
};

/**
 * One side of a book with cumulative sums, so that any number of quotes walk each level once. The
 * fee is computed and rounded up per level: the fee curve is not linear, so the average price must
 * not be used.
 */
export type Ladder = {
  /** @throws {ServiceError} fee_unknown */
  quote(contractMicros: bigint): Quote;
};

/**
 * The levels that an order takes, best first, in prices of the side it trades. Selling takes that
 * side's bids; buying takes the other side's, since an offer of Yes at p is a bid of No at 1 − p.
 */
export function createLadder(input: Omit<QuoteInput, 'contractMicros'>): Ladder {
  const { book, fee, action, side } = input;
  const isBuy = action === 'buy';
  const levels: readonly BookLevel[] = isBuy === (side === 'yes') ? book.noBids : book.yesBids;
  const rungs: Rung[] = [];
  let walked = 0;

  function feeOf(contractMicros: bigint, priceMicros: bigint): bigint {
    const charged = takerFeeMicros(fee, action, contractMicros, priceMicros);
    if (charged === undefined) throw unknownFee(book.ticker);
    return charged;
  }

  const worthOf = (contractMicros: bigint, priceMicros: bigint) =>
    costMicros(contractMicros, priceMicros, isBuy ? 'up' : 'down');

  /** Computed when a quote first reaches the level. */
  function rung(index: number): Rung | undefined {
    while (rungs.length <= index && walked < levels.length) {
      const level = levels[walked];
      walked += 1;
      if (level === undefined || level.contractMicros <= 0n) continue;
      const { contractMicros } = level;
      const priceMicros = isBuy ? MICROS - level.priceMicros : level.priceMicros;
      const before = rungs.at(-1) ?? NOTHING;
      rungs.push({
        priceMicros,
        contractMicros,
        uptoContractMicros: before.uptoContractMicros + contractMicros,
        uptoValueMicros: before.uptoValueMicros + worthOf(contractMicros, priceMicros),
        uptoFeeMicros: before.uptoFeeMicros + feeOf(contractMicros, priceMicros),
      });
    }
    return rungs[index];
  }

  return {
    quote(contractMicros) {
      let index = 0;
      let before = NOTHING;
      let last = contractMicros > 0n ? rung(0) : undefined;
      while (last && last.uptoContractMicros < contractMicros) {
        before = last;
        index += 1;
        last = rung(index);
      }
      const worst = last ?? before;
      let { uptoValueMicros: value, uptoFeeMicros: charged } = before;
      let taken = before.uptoContractMicros;
      if (last) {
        const part = minMicros(contractMicros - taken, last.contractMicros);
        value += worthOf(part, last.priceMicros);
        charged += feeOf(part, last.priceMicros);
        taken += part;
      }
      return {
        fillable: taken === contractMicros,
        contractMicros: taken,
        costUsdcMicros: isBuy ? value + charged : value - charged,
        feeUsdcMicros: charged,
        worstPriceMicros: taken > 0n ? worst.priceMicros : undefined,
        bestPriceMicros: taken > 0n ? rungs[0]?.priceMicros : undefined,
      };
    },
  };
}

/**
 * One quote of a book.
 * @throws {ServiceError} fee_unknown
 */
export function quoteFromBook({ contractMicros, ...input }: QuoteInput): Quote {
  return createLadder(input).quote(contractMicros);
}

export function unknownFee(ticker: string): ServiceError {
  return new ServiceError(
    'fee_unknown',
    `The exchange uses a fee rule for ${ticker} that Crossbook does not support, so it ` +
      'cannot be quoted or traded. Nothing was created.',
  );
}
