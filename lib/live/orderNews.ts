import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { orderKeys } from '../api/queries/orders.ts';
import type { OrderList, OrderRecord } from '../api/schemas/order.ts';

/**
 * Follows every order that comes into the query cache, by the stream or by asking, and tells when
 * one has moved on. What is seen for the first time is no news, unless it was placed after the list
 * was seen first and is over already: one that was placed elsewhere may be done before it is read.
 * Answers how to stop.
 */
export function followOrderNews(
  cache: QueryClient,
  onNews: (order: OrderRecord) => void,
): () => void {
  const seen = new Map<string, string>();
  /** When the newest order was placed that was there when the list was seen first. */
  let newestMs: number | undefined;
  const look = (order: OrderRecord) => {
    const before = seen.get(order.id);
    seen.set(order.id, order.status);
    const isNew = newestMs !== undefined && Date.parse(order.createdAt) > newestMs;
    const hasMoved = before === undefined ? isNew && order.isComplete : before !== order.status;
    if (hasMoved) onNews(order);
  };
  return cache.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    if (event.query.queryKey[0] !== orderKeys.all[0]) return;
    const orders = ordersIn(event.query.state.data);
    for (const order of orders) look(order);
    if (newestMs === undefined && isList(event.query.state.data)) {
      newestMs = Math.max(0, ...orders.map(({ createdAt }) => Date.parse(createdAt)));
    }
  });
}

function ordersIn(data: unknown): OrderRecord[] {
  if (typeof data !== 'object' || data === null) return [];
  if ('pages' in data) return (data as InfiniteData<OrderList>).pages.flatMap((one) => one.orders);
  if ('orders' in data) return (data as OrderList).orders;
  return 'status' in data ? [data as OrderRecord] : [];
}

function isList(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'orders' in data;
}
