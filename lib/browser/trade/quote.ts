import { divide } from '#lib/money.ts';

export type TradeSide = 'yes' | 'no';
export type TradeAction = 'buy' | 'sell';

/** A price for a quantity, as the ticket holds it. `atMs` is when it was received. */
export type TicketQuote = {
  contractMicros: bigint;
  /** The amount to spend, if dollars were typed: the cost never exceeds it. */
  capUsdcMicros?: bigint;
  fillable: boolean;
  /** Buy: the total to pay, fee included. Sell: the total received after the fee. */
  totalUsdcMicros: bigint;
  feeUsdcMicros: bigint;
  /** The first price level; null when nothing can be filled. */
  bestPriceMicros: bigint | null;
  atMs: number;
};

/** Ten-thousandths: 200 is 2 %. */
export type SlippageBps = number;

/**
 * The worst total the user accepts. An amount of dollars is its own limit. Otherwise a buy costs at
 * most the total raised by the slippage; a sale brings at least the total lowered by it. Both are
 * rounded in the user's favour.
 */
export function quoteLimitMicros(
  quote: TicketQuote,
  action: TradeAction,
  slippageBps: SlippageBps,
): bigint {
  if (quote.capUsdcMicros !== undefined) return quote.capUsdcMicros;
  const bps = BigInt(slippageBps);
  return action === 'buy'
    ? divide(quote.totalUsdcMicros * (10_000n + bps), 10_000n, 'down')
    : divide(quote.totalUsdcMicros * (10_000n - bps), 10_000n, 'up');
}

/** Whether an order can fill any of it: an amount of dollars is spent as far as the book gives. */
export function isFillable({ fillable, capUsdcMicros, contractMicros }: TicketQuote): boolean {
  return fillable || (capUsdcMicros !== undefined && contractMicros > 0n);
}

/** The payout of the contracts if their side wins: one dollar each. */
export function payoutMicros(quote: TicketQuote): bigint {
  return quote.contractMicros;
}
