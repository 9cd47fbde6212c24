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
import { formatMicros } from '#lib/money.ts';
import type { orderEvents } from '#server/platform/database/schema/orders.ts';
import type { OrderRow } from '../lifecycle/orderRow.ts';

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
  };
}

export function eventOf(
  event: Pick<typeof orderEvents.$inferSelect, 'type' | 'at' | 'detail' | 'transactionHash'>,
): OrderEvent {
  return {
    type: event.type,
    at: event.at.toISOString(),
    ...(event.detail === null ? {} : { detail: event.detail }),
    ...(event.transactionHash === null ? {} : { transactionHash: event.transactionHash }),
  };
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}

function amount(micros: bigint | null): string | null {
  return micros === null ? null : formatMicros(micros);
}
