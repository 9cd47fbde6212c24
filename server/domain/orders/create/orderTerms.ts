import { sideRanges, snapToTick } from '#lib/market/ticks.ts';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { OrderBook, TradeAction } from '#server/exchange/port.ts';
import { termsForAmount } from '../../markets/quotes/amountTerms.ts';
import { limitPriceFor } from '../../markets/quotes/limitPrice.ts';
import type { TradingMarket } from '../../markets/quotes/tradingMarket.ts';
import { insideOwnLevels, type OwnLevels, withoutOwnLevels } from '../lifecycle/ownLevels.ts';

/** What the exchange is sent: the worst price of one contract, and how many. */
export type OrderTerms = { limitPriceMicros: bigint; contractMicros: bigint };

/** A trade with the numbers that its terms follow from. */
export type PricedTrade = {
  tradeAction: TradeAction;
  side: OutcomeSide;
  contractMicros: bigint;
  quoteLimitUsdcMicros: bigint;
  /** Of a limit order; another one has the price that its quote limit allows. */
  limitPriceMicros?: bigint | null;
};

/**
 * The price and the count to send at this moment. A purchase that spends an amount is counted by
 * the book; another order has its limit price, or the one that its quote limit allows. Undefined
 * when the market offers nothing within the limit.
 * @param book of a purchase that spends an amount; otherwise undefined
 * @param own levels of our own resting orders: the price stays better than any of them
 */
export function orderTerms(
  trade: PricedTrade,
  { market, fee }: TradingMarket,
  book: OrderBook | undefined,
  own: OwnLevels = {},
): OrderTerms | undefined {
  const { tradeAction: action, side, contractMicros, quoteLimitUsdcMicros } = trade;
  const ranges = market.priceRanges;
  const input = { ranges, fee, side, contractMicros, quoteLimitUsdcMicros };
  if (book) return termsForAmount({ ...input, book: withoutOwnLevels(book, own) });
  const worstMicros = trade.limitPriceMicros ?? limitPriceFor({ ...input, action });
  if (worstMicros === undefined) return undefined;
  const inside = insideOwnLevels(trade, worstMicros, own);
  const grid = sideRanges(ranges, side);
  const limitPriceMicros =
    inside === worstMicros
      ? worstMicros
      : snapToTick(grid, inside, action === 'buy' ? 'down' : 'up');
  return limitPriceMicros === undefined ? undefined : { limitPriceMicros, contractMicros };
}
