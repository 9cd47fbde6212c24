import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { OrderList, OrderRecord } from '#lib/api/schemas/order.ts';
import { isCancelledByOwner } from '#lib/isCancelledByOwner.ts';
import { orderKeys } from '../queries/orders.ts';

/** How long the end of an order is news to a page that has not seen the order before. */
const FRESH_MS = 60_000;

/**
 * Follows every order that comes into the query cache, by the stream or by asking, and tells when
 * one has moved on. What is seen for the first time is no news, unless it has ended since the page
 * was opened: an order can be over before a page has read that there is one. Answers how to stop.
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
    seen.set(order.id, order.status);
    if (isCancelledByOwner(order)) return;
    if (before === undefined ? hasJustEnded(order) : before !== order.status) onNews(order);
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
