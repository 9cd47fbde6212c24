import { CONTRACT_STEP_MICROS, MICROS, minMicros, snap } from '#lib/money.ts';
import type { FeeRule, OrderBook } from '#server/exchange/port.ts';
import { exactTakerFee } from './feeCharge.ts';
import { type LimitPriceInput, limitPriceFor } from './limitPrice.ts';
import { createLadder } from './quote.ts';

type AmountTerms = { contractMicros: bigint; limitPriceMicros: bigint };

/**
 * How to spend an amount on the book in one message: the price and the count that spend the most of
 * it. The whole count at that price fits the amount, so no fill can cost more, however the book
 * does in between. `contractMicros` states what the amount buys at the worst accepted price.
 * Undefined when no offer is as good as that price.
 */
export function termsForAmount(
  input: Omit<LimitPriceInput, 'action'> & { book: OrderBook },
): AmountTerms | undefined {
  const { book, fee, side, quoteLimitUsdcMicros } = input;
  const worst = limitPriceFor({ ...input, action: 'buy' });
  if (worst === undefined) return undefined;
  const ladder = createLadder({ book, fee, action: 'buy', side });
  let best: (AmountTerms & { spentUsdcMicros: bigint }) | undefined;
  let depth = 0n;
  for (const level of side === 'yes' ? book.noBids : book.yesBids) {
    const limitPriceMicros = MICROS - level.priceMicros;
    if (limitPriceMicros > worst) break;
    depth += level.contractMicros;
    const contractMicros = affordable(fee, quoteLimitUsdcMicros, limitPriceMicros);
    if (contractMicros === 0n) break;
    const taken = minMicros(contractMicros, depth);
    const spentUsdcMicros = ladder.quote(taken).costUsdcMicros;
    if (!best || spentUsdcMicros > best.spentUsdcMicros) {
      best = { contractMicros, limitPriceMicros, spentUsdcMicros };
    }
    if (contractMicros <= depth) break;
  }
  return best && { contractMicros: best.contractMicros, limitPriceMicros: best.limitPriceMicros };
}

/** The most contracts that an amount pays at a price, exact fee included, on the exchange's grid. */
function affordable(fee: FeeRule, usdcMicros: bigint, priceMicros: bigint): bigint {
  if (fee.kind === 'unknown') return 0n;
  const { numerator, denominator } = exactTakerFee(fee, 1n, priceMicros);
  const perMicro = priceMicros * (denominator / MICROS) + numerator;
  return snap((usdcMicros * denominator) / perMicro, CONTRACT_STEP_MICROS, 'down');
}
