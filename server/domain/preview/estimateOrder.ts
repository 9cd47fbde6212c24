import { divide, MICROS } from '#lib/money.ts';
import type { OrderBook } from '#server/exchange/port.ts';
import { fillsAtBook } from '../markets/quotes/fillsAtBook.ts';
import { type OrderTerms, orderTerms } from '../orders/create/orderTerms.ts';
import { payoutOfSide, redemptionUsdcMicros } from '../orders/create/redemption.ts';
import type { SizedTrade } from '../orders/create/resolveTrade.ts';
import { type Fill, tradeAmounts } from '../orders/create/tradeAmounts.ts';
import { rests } from '../orders/lifecycle/orderRow.ts';
import { isBid, withoutOwnLevels, yesPriceOf } from '../orders/lifecycle/ownLevels.ts';
import type { PreviewFacts } from './previewFacts.ts';

export type Estimate = {
  isWholeFilled: boolean;
  filledContractMicros: bigint;
  quoteUsdcMicros: bigint;
  feeUsdcMicros: bigint;
  returnedUsdcMicros: bigint;
  returnedContractMicros: bigint;
  averagePriceMicros: bigint | undefined;
  limitPriceMicros: bigint | undefined;
  /** What the exchange keeps waiting; undefined if nothing. */
  resting: Resting | undefined;
  asOf: Date;
};

type Resting = {
  contractMicros: bigint;
  /** What waits at its price or a better one already, and is filled first. */
  aheadContractMicros: bigint;
  until: Date | null;
};

/** What the exchange would be sent now; undefined if the book offers nothing within the limit. */
export function termsNow(trade: SizedTrade, facts: PreviewFacts): OrderTerms | undefined {
  const { market, reading, isForAmount, own } = facts;
  if (!market || !reading) return undefined;
  const { contractMicros, limit } = trade;
  // A resting order is sent as it is: it is refused where it would meet one of ours.
  if (limit && rests(limit)) return { contractMicros, limitPriceMicros: limit.limitPriceMicros };
  const priced = { ...trade, limitPriceMicros: limit?.limitPriceMicros ?? null };
  return orderTerms(priced, market.trading, isForAmount ? reading.book : undefined, own);
}

/**
 * What an order would do at the current book; undefined where there is no book or no price that
 * keeps its limit. An order for an amount that the book cannot fill at all fills nothing, and
 * neither does one whose every price would meet an order of ours.
 */
export function estimateOrder(trade: SizedTrade, facts: PreviewFacts): Estimate | undefined {
  if (trade.isRedemption) return estimateRedemption(trade, facts);
  const { reading, isForAmount } = facts;
  // The book that a stop order will meet is not known yet.
  if (!reading || trade.trigger) return undefined;
  const isPriced = isForAmount || termsNow(trade, { ...facts, own: {} }) !== undefined;
  if (!isPriced) return undefined;
  const terms = termsNow(trade, facts);
  const matches = terms ? matchesNow(trade, facts, terms) : [];
  const isWhole = terms !== undefined && contractsOf(matches) === terms.contractMicros;
  const { timeInForce, isPostOnly } = trade.limit ?? {};
  const isKilled = timeInForce === 'FOK' && !isWhole;
  const fills = isKilled || isPostOnly ? [] : matches;
  const { returnedUsdcMicros, returnedContractMicros, ...amounts } = tradeAmounts(trade, fills);
  const resting =
    isPostOnly && matches.length > 0 ? undefined : restingNow(trade, reading.book, fills);
  return {
    ...amounts,
    // What the vault keeps for the rest comes back only when the order ends.
    returnedUsdcMicros: resting ? 0n : returnedUsdcMicros,
    returnedContractMicros: resting ? 0n : returnedContractMicros,
    isWholeFilled: isWhole && fills.length > 0,
    averagePriceMicros: averageOf(fills),
    limitPriceMicros: terms?.limitPriceMicros,
    resting,
    asOf: reading.asOf,
  };
}

function matchesNow(
  { tradeAction: action, side }: SizedTrade,
  { market, reading, own }: PreviewFacts,
  { contractMicros, limitPriceMicros }: OrderTerms,
): Fill[] {
  if (!market || !reading) return [];
  const { fee } = market.trading;
  const book = withoutOwnLevels(reading.book, own);
  return fillsAtBook({ book, fee, action, side, contractMicros }, limitPriceMicros);
}

function restingNow(
  trade: SizedTrade,
  book: OrderBook,
  fills: readonly Fill[],
): Resting | undefined {
  const { limit, contractMicros } = trade;
  const leftMicros = contractMicros - contractsOf(fills);
  if (!limit || !rests(limit) || leftMicros === 0n) return undefined;
  // Every offer is a bid of the other side.
  const yesPriceMicros = yesPriceOf(trade.side, limit.limitPriceMicros);
  const [levels, bidMicros] = isBid(trade)
    ? [book.yesBids, yesPriceMicros]
    : [book.noBids, MICROS - yesPriceMicros];
  const aheadContractMicros = contractsOf(levels.filter((one) => one.priceMicros >= bidMicros));
  return { contractMicros: leftMicros, aheadContractMicros, until: limit.restsUntil };
}

function contractsOf(parts: readonly { contractMicros: bigint }[]): bigint {
  return parts.reduce((sum, part) => sum + part.contractMicros, 0n);
}

function estimateRedemption(
  { side, contractMicros }: SizedTrade,
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
    resting: undefined,
    asOf: now,
  };
}

function averageOf(fills: readonly Fill[]): bigint | undefined {
  const contractMicros = contractsOf(fills);
  if (contractMicros === 0n) return undefined;
  const worth = fills.reduce((sum, fill) => sum + fill.contractMicros * fill.priceMicros, 0n);
  return divide(worth, contractMicros, 'nearest');
}

/** The most cash that the exchange reserves for a purchase: its whole count at the worst price. */
export function cashNeededMicros({ contractMicros, limitPriceMicros }: OrderTerms): bigint {
  return divide(contractMicros * limitPriceMicros, MICROS, 'up');
}
