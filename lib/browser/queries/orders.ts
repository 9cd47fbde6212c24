import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { OrderListQuery } from '#lib/api/schemas/order.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { isParked } from '#lib/market/restingOrder.ts';
import { pollEvery } from '../live/liveStatus.ts';
import { accountKeys } from './account.ts';

export type OrderFilter = Partial<Omit<OrderListQuery, 'cursor'>>;

/** The poll interval of an unfinished order; a finished one is not polled. */
const ORDER_POLL_MS = 1_000;
/** While it rests, only its place in the queue changes without an event. */
const RESTING_POLL_MS = [3_000, 15_000] as const;

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
    refetchInterval: ({ state: { data } }) => {
      if (data?.isComplete) return false;
      return data && isParked(data)
        ? pollEvery(...RESTING_POLL_MS)
        : pollEvery(ORDER_POLL_MS, 5_000);
    },
  });
}

export function orderListQuery(client: TradingClient, filter: OrderFilter = {}) {
  return queryOptions({
    queryKey: orderKeys.list(filter),
    queryFn: ({ signal }) => client.listOrders(filter, { signal }),
    refetchInterval: (query) => {
      const open = query.state.data?.orders.filter((order) => !order.isComplete) ?? [];
      return open.some((order) => !isParked(order))
        ? pollEvery(ORDER_POLL_MS, 5_000)
        : open.length > 0
          ? pollEvery(...RESTING_POLL_MS)
          : pollEvery(10_000, 60_000);
    },
  });
}

/** More than a trader keeps in the books at once. */
const MOST_OPEN = 200;

/** The orders at the exchange, however old: they may rest there for weeks. */
export function openOrdersQuery(client: TradingClient, userAddress: string | undefined) {
  return orderListQuery(client, {
    ...(userAddress !== undefined && { userAddress }),
    type: 'order',
    status: 'executing',
    limit: MOST_OPEN,
  });
}

/** Orders with locked funds that have not reached the exchange: stop orders wait there for weeks. */
export function waitingOrdersQuery(client: TradingClient, userAddress: string | undefined) {
  return orderListQuery(client, {
    ...(userAddress !== undefined && { userAddress }),
    type: 'order',
    status: 'validated',
    limit: MOST_OPEN,
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
