import { MICROS, minMicros } from '#lib/money.ts';
import { takerFeeMicros } from './feeCharge.ts';
import { type QuoteInput, unknownFee } from './quote.ts';

/** What one level of a book gives, in the price of the traded side. */
export type LevelFill = { contractMicros: bigint; priceMicros: bigint; feeMicros: bigint };

/**
 * The fills of an order that takes from a book at once, best level first, up to its price limit.
 * @throws {ServiceError} fee_unknown
 */
export function fillsAtBook(
  { book, fee, action, side, contractMicros }: QuoteInput,
  limitPriceMicros: bigint,
): LevelFill[] {
  const isBuy = action === 'buy';
  const fills: LevelFill[] = [];
  let leftMicros = contractMicros;
  // An offer of one side at p is a bid of the other at one dollar less p.
  for (const level of isBuy === (side === 'yes') ? book.noBids : book.yesBids) {
    const priceMicros = isBuy ? MICROS - level.priceMicros : level.priceMicros;
    const isWorse = isBuy ? priceMicros > limitPriceMicros : priceMicros < limitPriceMicros;
    if (isWorse || leftMicros === 0n) break;
    const taken = minMicros(leftMicros, level.contractMicros);
    if (taken <= 0n) continue;
    const feeMicros = takerFeeMicros(fee, action, taken, priceMicros);
    if (feeMicros === undefined) throw unknownFee(book.ticker);
    fills.push({ contractMicros: taken, priceMicros, feeMicros });
    leftMicros -= taken;
  }
  return fills;
}
