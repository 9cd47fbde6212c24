import { isAddressEqual } from 'viem';
import type { OrderPreview } from '#lib/api/schemas/orderPreview.ts';
import { highestFeeMicros } from '#lib/market/limitLock.ts';
import { formatMicros } from '#lib/money.ts';

import { feeFactors } from '../markets/quotes/feeCharge.ts';
import { priceDollars } from '../markets/serializeMarket.ts';
import type { SizedTrade } from '../orders/create/resolveTrade.ts';
import type { Estimate } from './estimateOrder.ts';
import { type Blocker, inputMicrosOf, usedTodayMicros } from './findBlockers.ts';
import type { PreviewFacts } from './previewFacts.ts';

type Assessed = {
  facts: PreviewFacts;
  trade: SizedTrade | undefined;
  estimate: Estimate | undefined;
  blockers: readonly Blocker[];
};

/** The published shape of a preview. */
export function serializePreview({ facts, trade, estimate, blockers }: Assessed): OrderPreview {
  return {
    source: facts.source,
    placeable: blockers.length === 0,
    blockers: blockers.map(serializeBlocker),
    estimate: estimate ? serializeEstimate(estimate) : null,
    funding: trade ? serializeFunding(trade, facts) : null,
    signing: trade ? serializeSigning(trade, facts, blockers) : null,
  };
}

function serializeBlocker({ retryAfterSeconds, errors, ...blocker }: Blocker) {
  const retry = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return { ...blocker, errors: [...errors], ...retry };
}

function serializeEstimate(estimate: Estimate): NonNullable<OrderPreview['estimate']> {
  const { resting } = estimate;
  const price = (micros: bigint | undefined) =>
    micros === undefined ? null : priceDollars(micros);
  return {
    fillable: estimate.isWholeFilled,
    filledBaseQuantity: formatMicros(estimate.filledContractMicros),
    quoteAmount: formatMicros(estimate.quoteUsdcMicros),
    feeQuoteAmount: formatMicros(estimate.feeUsdcMicros),
    returnedQuoteAmount: formatMicros(estimate.returnedUsdcMicros),
    returnedBaseQuantity: formatMicros(estimate.returnedContractMicros),
    averagePriceDollars: price(estimate.averagePriceMicros),
    limitPriceDollars: price(estimate.limitPriceMicros),
    remainingBaseQuantity: resting ? formatMicros(resting.contractMicros) : null,
    queueAhead: resting ? formatMicros(resting.aheadContractMicros) : null,
    restsUntil: resting?.until?.toISOString() ?? null,
    asOf: estimate.asOf.toISOString(),
  };
}

function serializeFunding(
  { tradeAction, contractMicros, quoteLimitUsdcMicros, limit }: SizedTrade,
  { payer, parsed, market }: PreviewFacts,
): NonNullable<OrderPreview['funding']> {
  const isBuy = tradeAction === 'buy';
  const quoteLimit = formatMicros(quoteLimitUsdcMicros);
  const fee = market?.trading.fee;
  const highestFee =
    limit && fee && fee.kind !== 'unknown'
      ? highestFeeMicros(
          { action: tradeAction, priceMicros: limit.limitPriceMicros, fee: feeFactors(fee) },
          contractMicros,
        )
      : undefined;
  return {
    accountAddress: payer,
    receiverAddress: parsed.parts.receiver ?? payer,
    lockedQuoteAmount: isBuy ? quoteLimit : null,
    lockedBaseQuantity: isBuy ? null : formatMicros(contractMicros),
    leastQuoteAmount: isBuy ? null : quoteLimit,
    highestFeeQuoteAmount: highestFee === undefined ? null : formatMicros(highestFee),
  };
}

const OF_GRANT: ReadonlySet<Blocker['code']> = new Set([
  'grant_required',
  'grant_expired',
  'grant_exceeded',
]);

function serializeSigning(
  trade: SizedTrade,
  facts: PreviewFacts,
  blockers: readonly Blocker[],
): NonNullable<OrderPreview['signing']> {
  const { source, includesApproval } = facts;
  const needsGrant = source === 'api' && !trade.isRedemption;
  const needed = inputMicrosOf(trade);
  const approves = source === 'calldata' && trade.tradeAction === 'buy' && includesApproval;
  const mustSign = blockers.some(({ code }) => OF_GRANT.has(code));
  return {
    grant: needsGrant ? (mustSign ? 'to_sign' : 'in_force') : 'not_needed',
    leastMaxPerOrder: needsGrant ? formatMicros(needed) : null,
    leastMaxPerDay: needsGrant ? formatMicros(usedTodayMicros(facts) + needed) : null,
    transactions: source === 'api' ? 0 : countTransactions(facts, approves ? 2 : 1),
    approvedQuoteAmount: approves ? formatMicros(trade.quoteLimitUsdcMicros) : null,
  };
}

/** A smart account executes its calls in one transaction, after one that deploys it. */
function countTransactions({ payer, sender, account }: PreviewFacts, calls: number): number {
  if (isAddressEqual(payer, sender)) return calls;
  return account.deployed ? 1 : 2;
}
