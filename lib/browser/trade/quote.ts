import { costMicros, divide, MICROS } from '#lib/money.ts';

export type TradeSide = 'yes' | 'no';
export type TradeAction = 'buy' | 'sell';

/** A price for a quantity, as the ticket holds it. `atMs` is when it was received. */
export type TicketQuote = {
  contractMicros: bigint;
  fillable: boolean;
  /** Buy: all that is paid, fee included. Sell: all that is received, fee taken off. */
  totalUsdcMicros: bigint;
  feeUsdcMicros: bigint;
  /** The first price level; null when nothing can be filled. */
  bestPriceMicros: bigint | null;
  /** Buy: the highest bound. Sell: the most contracts. Null while the service does not know. */
  largestOrderMicros: bigint | null;
  atMs: number;
};

/** Ten-thousandths: 200 is 2 %. */
export type SlippageBps = number;

/** Average per contract before the fee; undefined for an empty quote. */
export function averagePriceMicros(quote: TicketQuote, action: TradeAction): bigint | undefined {
  if (quote.contractMicros <= 0n) return undefined;
  const gross =
    action === 'buy'
      ? quote.totalUsdcMicros - quote.feeUsdcMicros
      : quote.totalUsdcMicros + quote.feeUsdcMicros;
  return divide(gross * MICROS, quote.contractMicros, 'nearest');
}

/**
 * The worst total the user agrees to. A buy may cost at most the total raised by the slippage, a
 * sale must bring at least the total lowered by it; both rounded in the user's favour.
 */
export function quoteLimitMicros(
  quote: TicketQuote,
  action: TradeAction,
  slippageBps: SlippageBps,
): bigint {
  const bps = BigInt(slippageBps);
  return action === 'buy'
    ? divide(quote.totalUsdcMicros * (10_000n + bps), 10_000n, 'down')
    : divide(quote.totalUsdcMicros * (10_000n - bps), 10_000n, 'up');
}

/** Whether `fresh` is worse for the user than what they were looking at. */
export function isWorse(shown: TicketQuote, fresh: TicketQuote, action: TradeAction): boolean {
  if (shown.contractMicros !== fresh.contractMicros) return true;
  if (shown.fillable && !fresh.fillable) return true;
  return action === 'buy'
    ? fresh.totalUsdcMicros > shown.totalUsdcMicros
    : fresh.totalUsdcMicros < shown.totalUsdcMicros;
}

/** What the contracts pay if their side wins: one dollar each. */
export function payoutMicros(quote: TicketQuote): bigint {
  return quote.contractMicros;
}

/** What is won on top of the cost if the side that is bought turns out right. */
export function profitIfRightMicros(quote: TicketQuote): bigint {
  return quote.contractMicros - quote.totalUsdcMicros;
}

/**
 * What a sale takes in over what the contracts cost, both with their fees.
 * @param averageCostMicros of one contract
 */
export function saleProfitMicros(quote: TicketQuote, averageCostMicros: bigint): bigint {
  return quote.totalUsdcMicros - costMicros(quote.contractMicros, averageCostMicros, 'nearest');
}

/** How far the average is from the first level, per contract: what the order's own size costs. */
export function priceImpactMicros(quote: TicketQuote, action: TradeAction): bigint {
  const average = averagePriceMicros(quote, action);
  if (average === undefined || quote.bestPriceMicros === null) return 0n;
  const impact =
    action === 'buy' ? average - quote.bestPriceMicros : quote.bestPriceMicros - average;
  return impact > 0n ? impact : 0n;
}

/** The chance from which on a bought contract is worth what it cost, fee included. */
export function breakEvenMicros(quote: TicketQuote): bigint | undefined {
  if (quote.contractMicros <= 0n) return undefined;
  return divide(quote.totalUsdcMicros * MICROS, quote.contractMicros, 'nearest');
}

/** From here on the size of the order itself is what makes it dear. */
const LARGE_IMPACT_MICROS = 30_000n;
/** An order below this is small, whatever share of the cash it takes. */
const SMALL_ORDER_MICROS = 25n * MICROS;

export type TicketWarning = 'largeImpact' | 'largeShare' | 'hardlyPays';

/** What a careful friend would say before the button is pressed. */
export function ticketWarnings(
  quote: TicketQuote,
  action: TradeAction,
  cashMicros: bigint,
): TicketWarning[] {
  const warnings: TicketWarning[] = [];
  if (priceImpactMicros(quote, action) >= LARGE_IMPACT_MICROS) warnings.push('largeImpact');
  if (action === 'buy') {
    const { totalUsdcMicros: total } = quote;
    // What is more than all of it cannot be paid, and is told of as that.
    const isPayable = total > SMALL_ORDER_MICROS && total <= cashMicros;
    if (isPayable && total * 2n > cashMicros) warnings.push('largeShare');
    if (profitIfRightMicros(quote) <= 0n) warnings.push('hardlyPays');
  }
  return warnings;
}
