import { CONTRACT_STEP_MICROS, maxMicros, snap } from '#lib/money.ts';
import type { OrderDraft } from './orderRequest.ts';
import {
  quoteLimitMicros,
  type SlippageBps,
  type TicketQuote,
  type TradeAction,
  type TradeSide,
} from './quote.ts';

/**
 * What the whole amount must buy at the worst price the user accepts, which is the average shown
 * raised by the slippage. The fill buys more at any better price.
 */
export function leastContractMicros(
  quote: TicketQuote,
  capUsdcMicros: bigint,
  slippageBps: SlippageBps,
): bigint {
  const worstTotal = quote.totalUsdcMicros * (10_000n + BigInt(slippageBps));
  if (worstTotal <= 0n) return 0n;
  const least = (capUsdcMicros * quote.contractMicros * 10_000n) / worstTotal;
  return maxMicros(snap(least, CONTRACT_STEP_MICROS, 'down'), CONTRACT_STEP_MICROS);
}

/** The order at a quote, as the slippage allows. */
export function draftAt(
  ask: { ticker: string; side: TradeSide; action: TradeAction },
  quote: TicketQuote,
  slippageBps: SlippageBps,
): OrderDraft {
  const { capUsdcMicros } = quote;
  return {
    ...ask,
    contractMicros:
      capUsdcMicros === undefined
        ? quote.contractMicros
        : leastContractMicros(quote, capUsdcMicros, slippageBps),
    spendsLimit: capUsdcMicros !== undefined,
    quoteLimitUsdcMicros: quoteLimitMicros(quote, ask.action, slippageBps),
  };
}

/** Whether `fresh` is worse for the user than the price on screen. */
export function isWorse(shown: TicketQuote, fresh: TicketQuote, action: TradeAction): boolean {
  if (shown.capUsdcMicros !== undefined) {
    const perContract = fresh.totalUsdcMicros * shown.contractMicros;
    return (
      fresh.contractMicros < shown.contractMicros ||
      perContract > shown.totalUsdcMicros * fresh.contractMicros
    );
  }
  if (shown.contractMicros !== fresh.contractMicros) return true;
  if (shown.fillable && !fresh.fillable) return true;
  return action === 'buy'
    ? fresh.totalUsdcMicros > shown.totalUsdcMicros
    : fresh.totalUsdcMicros < shown.totalUsdcMicros;
}
