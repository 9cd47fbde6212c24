import type { TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { NewEvent } from '#server/domain/orders/lifecycle/transition.ts';

/**
 * A receiver that refuses tokens or dollars does not block the order: they go to the account, or
 * stay claimable in the vault. The order's log records it.
 */
export function refusalOf(
  order: TradeOrder,
  deliveredTo: string | null,
  transactionHash: string,
): NewEvent[] {
  if (deliveredTo === null || deliveredTo === order.receiverAddress) return [];
  const detail = deliveredTo === order.accountId ? 'delivered_to_account' : 'claimable';
  return [{ type: 'receiver_refused', detail, transactionHash }];
}
