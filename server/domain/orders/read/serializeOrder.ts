import { getAddress } from 'viem';
import type {
  IntentAction,
  OrderAction,
  OrderEvent,
  OrderIntent,
  OrderRecord,
  WithdrawalIntent,
} from '#lib/api/schemas/order.ts';
import type { WithdrawalAction } from '#lib/api/schemas/withdraw.ts';
import { divide, formatMicros, MICROS } from '#lib/money.ts';
import type { orderEvents } from '#server/platform/database/schema/orders.ts';
import { isLongLived, type OrderRow } from '../lifecycle/orderRow.ts';

export function serializeOrderIntent(row: OrderRow): OrderIntent {
  return {
    id: row.id,
    clientId: row.clientId,
    action: row.action as OrderAction,
    createdAt: row.createdAt.toISOString(),
  };
}

export function serializeWithdrawalIntent(row: OrderRow): WithdrawalIntent {
  return { ...serializeOrderIntent(row), action: row.action as WithdrawalAction };
}

export function recordOf(row: OrderRow): OrderRecord {
  return {
    id: row.id,
    clientId: row.clientId,
    action: row.action as IntentAction,
    createdAt: row.createdAt.toISOString(),
    status: row.status,
    balanceValidatedAt: iso(row.balanceValidatedAt),
    txnFilledAt: iso(row.txnFilledAt),
    transactionHash: row.transactionHash,
    isComplete: row.isComplete,
    terminationReason: row.terminationReason,
    source: row.kind === 'calldata' ? 'calldata' : 'api',
    isRedemption: row.isRedemption,
    accountAddress: row.accountId,
    userAddress: getAddress(row.userAddress),
    receiverAddress: row.receiverAddress ?? row.destinationAddress ?? row.accountId,
    filledBaseQuantity: amount(row.filledContractMicros),
    quoteAmount: amount(row.quoteUsdcMicros),
    feeQuoteAmount: amount(row.feeUsdcMicros),
    returnedQuoteAmount: amount(row.returnedUsdcMicros),
    returnedBaseQuantity: amount(row.returnedContractMicros),
    expiresAt: iso(row.expiresAt),
    updatedAt: row.updatedAt.toISOString(),
    ...limitTermsOf(row),
    trigger: triggerOf(row),
  };
}

/** The fields of a limit order; all null for any other. */
export function limitTermsOf(row: OrderRow) {
  const isLimit = row.orderType === 'limit';
  const filled = row.filledContractMicros ?? 0n;
  const size = row.restingContractMicros ?? row.contractMicros ?? 0n;
  const isOpen = !row.isComplete && size > filled;
  const averageMicros =
    isLimit && filled > 0n ? divide((row.quoteUsdcMicros ?? 0n) * MICROS, filled, 'nearest') : null;
  return {
    limitPrice: amount(row.limitPriceMicros),
    timeInForce: row.timeInForce,
    postOnly: isLimit ? row.isPostOnly : null,
    reduceOnly: isLimit ? row.isReduceOnly : null,
    restsUntil: iso(row.restsUntil),
    restingSince: iso(row.restingSince),
    remainingBaseQuantity: isLimit ? formatMicros(isOpen ? size - filled : 0n) : null,
    averagePrice: amount(averageMicros),
    deliveredBaseQuantity: amount(row.deliveredContractMicros),
    deliveredQuoteAmount: amount(row.deliveredQuoteUsdcMicros),
    queueAhead: row.stage === 'rest' ? amount(row.queueContractMicros) : null,
    endReason: isLongLived(row) ? (row.endingReason ?? row.terminationReason) : null,
    replacedBy: row.replacedBy,
  };
}

/** What a stop order waits for, or has waited for; null for any other. */
export function triggerOf(row: OrderRow) {
  const { triggerPriceMicros, triggerDirection: direction, triggerSource: source } = row;
  if (triggerPriceMicros === null || direction === null || source === null) return null;
  return {
    price: formatMicros(triggerPriceMicros),
    direction,
    source,
    triggeredAt: iso(row.triggeredAt),
    seenPrice: amount(row.triggerSeenMicros),
  };
}

export function eventOf(
  event: Pick<
    typeof orderEvents.$inferSelect,
    | 'type'
    | 'at'
    | 'detail'
    | 'transactionHash'
    | 'contractMicros'
    | 'quoteUsdcMicros'
    | 'feeUsdcMicros'
  >,
): OrderEvent {
  return {
    type: event.type,
    at: event.at.toISOString(),
    ...(event.detail === null ? {} : { detail: event.detail }),
    ...(event.transactionHash === null ? {} : { transactionHash: event.transactionHash }),
    ...(event.contractMicros === null ? {} : { baseQuantity: formatMicros(event.contractMicros) }),
    ...(event.quoteUsdcMicros === null ? {} : { quoteAmount: formatMicros(event.quoteUsdcMicros) }),
    ...(event.feeUsdcMicros === null ? {} : { feeQuoteAmount: formatMicros(event.feeUsdcMicros) }),
  };
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}

function amount(micros: bigint | null): string | null {
  return micros === null ? null : formatMicros(micros);
}
