import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { OrderList, OrderRecord } from '#lib/api/schemas/order.ts';
import { isCancelledByOwner } from '#lib/isCancelledByOwner.ts';
import { orderKeys } from '../queries/orders.ts';

/** How long a page reports the end of an order that it has not seen before. */
const FRESH_MS = 60_000;

/**
 * Subscribes to every order that enters the query cache, from the stream or a poll, and reports its
 * progress. The first sight of an order is reported only if the order has ended since the page was
 * opened: an order can end before a page first reads it. Returns the unsubscribe function.
 * @param openedMs when the page was opened
 */
export function followOrderUpdates(
  cache: QueryClient,
  onNews: (order: OrderRecord) => void,
  openedMs = performance.timeOrigin,
): () => void {
  const seen = new Map<string, string>();
  const hasJustEnded = ({ isComplete, updatedAt }: OrderRecord) =>
    isComplete && Date.parse(updatedAt) > Math.max(openedMs, Date.now() - FRESH_MS);
  const look = (order: OrderRecord) => {
    const before = seen.get(order.id);
    // An order at the exchange may begin to rest, and then fills in parts.
    const now = `${order.status} ${order.restingSince !== null} ${order.filledBaseQuantity ?? ''}`;
    seen.set(order.id, now);
    if (isCancelledByOwner(order)) return;
    if (before === undefined ? hasJustEnded(order) : before !== now) onNews(order);
  };
  return cache.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    if (event.query.queryKey[0] !== orderKeys.all[0]) return;
    for (const order of ordersIn(event.query.state.data)) look(order);
  });
}

function ordersIn(data: unknown): OrderRecord[] {
  if (typeof data !== 'object' || data === null) return [];
  if ('pages' in data) return (data as InfiniteData<OrderList>).pages.flatMap((one) => one.orders);
  if ('orders' in data) return (data as OrderList).orders;
  return 'status' in data ? [data as OrderRecord] : [];
}
