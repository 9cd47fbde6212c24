import { orderSummary } from '#components/order/orderView.ts';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';

/** The open redemption of a position among these orders. */
export function openRedemption(
  orders: readonly OrderRecord[],
  { marketId, side }: Pick<PositionView, 'marketId' | 'side'>,
): OrderRecord | undefined {
  return orders.find((order) => {
    if (!order.isRedemption || order.isComplete) return false;
    const summary = orderSummary(order);
    return summary.marketId === marketId && summary.side === side;
  });
}
