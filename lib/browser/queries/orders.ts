import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { OrderListQuery } from '#lib/api/schemas/order.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { pollEvery } from '../live/liveStatus.ts';
import { accountKeys } from './account.ts';

export type OrderFilter = Partial<Omit<OrderListQuery, 'cursor'>>;

/** The poll interval of an unfinished order; a finished one is not polled. */
const ORDER_POLL_MS = 1_000;

export const orderKeys = {
  all: ['orders'] as const,
  lists: ['orders', 'list'] as const,
  list: (filter: OrderFilter) => ['orders', 'list', filter] as const,
  allPages: ['orders', 'pages'] as const,
  pages: (filter: OrderFilter) => ['orders', 'pages', filter] as const,
  /** Keyed by the reader: one account's orders must not appear to the next. */
  detail: (id: string) => ['orders', 'detail', id] as const,
};

export function orderQuery(client: TradingClient, id: string, owner: string | undefined) {
  return queryOptions({
    queryKey: [...orderKeys.detail(id), owner],
    queryFn: async ({ signal, client: cache }) => {
      const order = await client.getOrder(id, { signal });
      // An order also changes balances and positions, wherever they are on the page.
      if (order.isComplete) void cache.invalidateQueries({ queryKey: accountKeys.all });
      return order;
    },
    refetchInterval: (query) =>
      query.state.data?.isComplete === true ? false : pollEvery(ORDER_POLL_MS, 5_000),
  });
}

export function orderListQuery(client: TradingClient, filter: OrderFilter = {}) {
  return queryOptions({
    queryKey: orderKeys.list(filter),
    queryFn: ({ signal }) => client.listOrders(filter, { signal }),
    refetchInterval: (query) =>
      query.state.data?.orders.some((order) => !order.isComplete) === true
        ? pollEvery(ORDER_POLL_MS, 5_000)
        : pollEvery(10_000, 60_000),
  });
}

/** The orders of a list, page by page. */
export function orderPagesQuery(client: TradingClient, filter: OrderFilter) {
  return infiniteQueryOptions({
    queryKey: orderKeys.pages(filter),
    queryFn: ({ signal, pageParam }) =>
      client.listOrders(
        { ...filter, limit: 25, ...(pageParam !== '' && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.cursor || undefined,
    refetchInterval: () => pollEvery(5_000, 60_000),
  });
}
