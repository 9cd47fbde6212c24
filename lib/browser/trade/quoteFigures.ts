import { costMicros, divide, MICROS } from '#lib/money.ts';
import type { TicketQuote, TradeAction } from './quote.ts';

/** The figures of a quote, apart from what a ticket needs before it has one: loaded with them. */

/** Average per contract before the fee; undefined for an empty quote. */
export function averagePriceMicros(quote: TicketQuote, action: TradeAction): bigint | undefined {
  if (quote.contractMicros <= 0n) return undefined;
  const gross =
    action === 'buy'
      ? quote.totalUsdcMicros - quote.feeUsdcMicros
      : quote.totalUsdcMicros + quote.feeUsdcMicros;
  return divide(gross * MICROS, quote.contractMicros, 'nearest');
}

/** The profit if the bought side wins. */
export function profitIfRightMicros(quote: TicketQuote): bigint {
  return quote.contractMicros - quote.totalUsdcMicros;
}

/**
 * The proceeds of a sale minus the cost of the contracts, both with fees.
 * @param averageCostMicros of one contract
 */
export function saleProfitMicros(quote: TicketQuote, averageCostMicros: bigint): bigint {
  return quote.totalUsdcMicros - costMicros(quote.contractMicros, averageCostMicros, 'nearest');
}

/** Price impact per contract: how far the average is from the first level. */
export function priceImpactMicros(quote: TicketQuote, action: TradeAction): bigint {
  const average = averagePriceMicros(quote, action);
  if (average === undefined || quote.bestPriceMicros === null) return 0n;
  const impact =
    action === 'buy' ? average - quote.bestPriceMicros : quote.bestPriceMicros - average;
  return impact > 0n ? impact : 0n;
}

/** The break-even chance of a bought contract, fee included. */
export function breakEvenMicros(quote: TicketQuote): bigint | undefined {
  if (quote.contractMicros <= 0n) return undefined;
  return divide(quote.totalUsdcMicros * MICROS, quote.contractMicros, 'nearest');
}

/** From here on the size of the order is the main cost. */
const LARGE_IMPACT_MICROS = 30_000n;
/** An order below this is small, regardless of its share of the cash. */
const SMALL_ORDER_MICROS = 25n * MICROS;

export type TicketWarning = 'largeImpact' | 'largeShare' | 'hardlyPays';

/** Warnings to show before the order is confirmed. */
export function ticketWarnings(
  quote: TicketQuote,
  action: TradeAction,
  cashMicros: bigint,
): TicketWarning[] {
  const warnings: TicketWarning[] = [];
  if (priceImpactMicros(quote, action) >= LARGE_IMPACT_MICROS) warnings.push('largeImpact');
  if (action === 'buy') {
    const { totalUsdcMicros: total } = quote;
    // An order above the cash cannot be paid and is reported as such.
    const isPayable = total > SMALL_ORDER_MICROS && total <= cashMicros;
    if (isPayable && total * 2n > cashMicros) warnings.push('largeShare');
    if (profitIfRightMicros(quote) <= 0n) warnings.push('hardlyPays');
  }
  return warnings;
}
