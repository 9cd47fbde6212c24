import { divide, MICROS } from '#lib/money.ts';
import { fillsAtBook } from '../markets/quotes/fillsAtBook.ts';
import { type OrderTerms, orderTerms } from '../orders/create/orderTerms.ts';
import { payoutOfSide, redemptionUsdcMicros } from '../orders/create/redemption.ts';
import { type Fill, tradeAmounts } from '../orders/create/tradeAmounts.ts';
import type { PreviewFacts, WholeTrade } from './previewFacts.ts';

export type Estimate = {
  isWholeFilled: boolean;
  filledContractMicros: bigint;
  quoteUsdcMicros: bigint;
  feeUsdcMicros: bigint;
  returnedUsdcMicros: bigint;
  returnedContractMicros: bigint;
  averagePriceMicros: bigint | undefined;
  limitPriceMicros: bigint | undefined;
  asOf: Date;
};

/** What the exchange would be sent now; undefined if the book offers nothing within the limit. */
export function termsNow(trade: WholeTrade, facts: PreviewFacts): OrderTerms | undefined {
  const { market, reading, isForAmount } = facts;
  if (!market || !reading) return undefined;
  return orderTerms(trade, market.trading, isForAmount ? reading.book : undefined);
}

/**
 * What an order would do at the current book; undefined where there is no book or no price that
 * keeps its limit. An order for an amount that the book cannot fill at all fills nothing.
 */
export function estimateOrder(trade: WholeTrade, facts: PreviewFacts): Estimate | undefined {
  if (trade.isRedemption) return estimateRedemption(trade, facts);
  const { market, reading, isForAmount } = facts;
  if (!market || !reading) return undefined;
  const terms = termsNow(trade, facts);
  if (!terms && !isForAmount) return undefined;
  const { book, asOf } = reading;
  const { tradeAction: action, side } = trade;
  const { fee } = market.trading;
  const fills = terms
    ? fillsAtBook(
        { book, fee, action, side, contractMicros: terms.contractMicros },
        terms.limitPriceMicros,
      )
    : [];
  const amounts = tradeAmounts(trade, fills);
  return {
    ...amounts,
    isWholeFilled: terms !== undefined && amounts.filledContractMicros === terms.contractMicros,
    averagePriceMicros: averageOf(fills),
    limitPriceMicros: terms?.limitPriceMicros,
    asOf,
  };
}

function estimateRedemption(
  { side, contractMicros }: WholeTrade,
  { market, now }: PreviewFacts,
): Estimate {
  const payout = payoutOfSide(side, market?.payoutYesMicros ?? 0n);
  return {
    isWholeFilled: true,
    filledContractMicros: contractMicros,
    quoteUsdcMicros: redemptionUsdcMicros(contractMicros, payout),
    feeUsdcMicros: 0n,
    returnedUsdcMicros: 0n,
    returnedContractMicros: 0n,
    averagePriceMicros: payout,
    limitPriceMicros: undefined,
    asOf: now,
  };
}

function averageOf(fills: readonly Fill[]): bigint | undefined {
  const contractMicros = fills.reduce((sum, fill) => sum + fill.contractMicros, 0n);
  if (contractMicros === 0n) return undefined;
  const worth = fills.reduce((sum, fill) => sum + fill.contractMicros * fill.priceMicros, 0n);
  return divide(worth, contractMicros, 'nearest');
}

/** The most cash that the exchange reserves for a purchase: its whole count at the worst price. */
export function cashNeededMicros({ contractMicros, limitPriceMicros }: OrderTerms): bigint {
  return divide(contractMicros * limitPriceMicros, MICROS, 'up');
}
