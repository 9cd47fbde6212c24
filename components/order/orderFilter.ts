import type { OrderFilter } from '#lib/browser/queries/orders.ts';

/** Filters of the order list; they live in the URL. */
export const ORDER_TYPES = [
  { value: 'all', label: 'All' },
  { value: 'order', label: 'Trades' },
  { value: 'withdrawal', label: 'Withdrawals' },
] as const;

export const ORDER_STATUSES = [
  { value: 'any', label: 'Any' },
  { value: 'pending', label: 'Received' },
  { value: 'validated', label: 'Funds locked' },
  { value: 'executing', label: 'In progress' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
] as const;

export type OrderListFilter = {
  type: (typeof ORDER_TYPES)[number]['value'];
  status: (typeof ORDER_STATUSES)[number]['value'];
};

export function ordersHref(current: OrderListFilter, change: Partial<OrderListFilter>): string {
  const next = { ...current, ...change };
  const query = new URLSearchParams();
  if (next.type !== 'all') query.set('type', next.type);
  if (next.status !== 'any') query.set('status', next.status);
  const text = query.toString();
  return text === '' ? '/orders' : `/orders?${text}`;
}

/** The filter as the interface takes it. */
export function orderQueryOf(filter: OrderListFilter, owner: string | undefined): OrderFilter {
  return {
    userAddress: owner,
    type: filter.type,
    ...(filter.status !== 'any' && { status: filter.status }),
  };
}
