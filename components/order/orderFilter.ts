import { filterHref } from '#components/ui/filterHref.ts';

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

const ALL: OrderListFilter = { type: 'all', status: 'any' };

export function ordersHref(current: OrderListFilter, change: Partial<OrderListFilter>): string {
  return filterHref('/orders', { ...current, ...change }, ALL);
}
