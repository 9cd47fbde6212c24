import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { averagePriceMicros } from '#lib/browser/trade/quoteFigures.ts';
import { parseMicros } from '#lib/money.ts';

export type OrderFigures = {
  /** The traded amount; for an open order, the requested amount. */
  contractMicros: bigint | undefined;
  /** Per contract before the fee; only for traded amounts. */
  averageMicros: bigint | undefined;
  usdcMicros: bigint | undefined;
  /** Until the result is known: the maximum cost, or the minimum proceeds of a sale. */
  quoteLimit: 'most' | 'least' | undefined;
};

const NOTHING: OrderFigures = {
  contractMicros: undefined,
  averageMicros: undefined,
  usdcMicros: undefined,
  quoteLimit: undefined,
};

type Traded = Pick<
  OrderRecord,
  'action' | 'isRedemption' | 'isComplete' | 'filledBaseQuantity' | 'quoteAmount' | 'feeQuoteAmount'
>;

export function orderFigures(record: Traded): OrderFigures {
  const { action } = record;
  if (action.orderType === 'Withdraw') {
    const micros = parseMicros(action.withdrawal.amount);
    return action.withdrawal.tokenType === 'erc20'
      ? { ...NOTHING, usdcMicros: micros }
      : { ...NOTHING, contractMicros: micros };
  }
  const { orderType, baseQuantity, maxQuoteQuantityIn, minQuoteQuantityOut } = action.order;
  const isBuy = orderType === 'BUY';
  const filled = parseMicros(record.filledBaseQuantity ?? '0');
  const paid = parseMicros(record.quoteAmount ?? '0');
  if (filled > 0n && paid > 0n) {
    return { ...NOTHING, contractMicros: filled, usdcMicros: paid, averageMicros: average() };
  }
  const limit = isBuy ? maxQuoteQuantityIn : minQuoteQuantityOut;
  const isAmount =
    action.orderType === 'MarketOrder' && action.order.sizedBy === 'maxQuoteQuantityIn';
  const isOpen = !record.isComplete && !record.isRedemption && limit !== undefined;
  return {
    ...NOTHING,
    contractMicros: isAmount ? undefined : parseMicros(baseQuantity),
    ...(isOpen && { usdcMicros: parseMicros(limit), quoteLimit: isBuy ? 'most' : 'least' }),
  };

  /** A payout is not a price. */
  function average(): bigint | undefined {
    if (record.isRedemption) return undefined;
    const quote = {
      contractMicros: filled,
      totalUsdcMicros: paid,
      feeUsdcMicros: parseMicros(record.feeQuoteAmount ?? '0'),
      fillable: true,
      bestPriceMicros: null,
      atMs: 0,
    };
    return averagePriceMicros(quote, isBuy ? 'buy' : 'sell');
  }
}
