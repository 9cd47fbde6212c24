import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { OrderBook, TradeAction } from '#server/exchange/port.ts';
import { termsForAmount } from '../../markets/quotes/amountTerms.ts';
import { limitPriceFor } from '../../markets/quotes/limitPrice.ts';
import type { TradingMarket } from '../../markets/quotes/tradingMarket.ts';

/** What the exchange is sent: the worst price of one contract, and how many. */
export type OrderTerms = { limitPriceMicros: bigint; contractMicros: bigint };

/** A trade with the numbers that its terms follow from. */
export type PricedTrade = {
  tradeAction: TradeAction;
  side: OutcomeSide;
  contractMicros: bigint;
  quoteLimitUsdcMicros: bigint;
};

/**
 * The price and the count to send at this moment. A purchase that spends an amount is counted by
 * the book; another order has the price that its limit allows. Undefined when the market offers
 * nothing within the limit.
 * @param book of a purchase that spends an amount; otherwise undefined
 */
export function orderTerms(
  { tradeAction: action, side, contractMicros, quoteLimitUsdcMicros }: PricedTrade,
  { market, fee }: TradingMarket,
  book: OrderBook | undefined,
): OrderTerms | undefined {
  const input = { ranges: market.priceRanges, fee, side, contractMicros, quoteLimitUsdcMicros };
  if (book) return termsForAmount({ ...input, book });
  const limitPriceMicros = limitPriceFor({ ...input, action });
  return limitPriceMicros === undefined ? undefined : { limitPriceMicros, contractMicros };
}
