import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import {
  openOrdersQuery,
  orderListQuery,
  waitingOrdersQuery,
} from '#lib/browser/queries/orders.ts';
import type { OwnRest } from '#lib/market/ladder.ts';
import { ownRestOf } from '#lib/market/restingOrder.ts';
import { orderSummary } from './orderView.ts';

/**
 * The visitor's orders that have not ended, newest first; of one market if it is given. Those that
 * rest or wait for a price may be older than the latest orders.
 */
export function useOpenOrders(ticker?: string): OrderRecord[] {
  const { api } = useApp();
  const { wallet, session } = useVisitor();
  const enabled = session !== undefined;
  const atExchange = useQuery({ ...openOrdersQuery(api, wallet.address), enabled });
  const waiting = useQuery({ ...waitingOrdersQuery(api, wallet.address), enabled });
  const latest = useQuery({
    ...orderListQuery(api, { userAddress: wallet.address, type: 'all' }),
    enabled,
  });
  if (!enabled) return [];
  const orders = [latest, waiting, atExchange].flatMap(({ data }) => data?.orders ?? []);
  const byId = new Map(orders.map((order) => [order.id, order]));
  return [...byId.values()]
    .filter(
      (order) =>
        !order.isComplete &&
        order.action.orderType !== 'Withdraw' &&
        !order.isRedemption &&
        (ticker === undefined || orderSummary(order).marketId === ticker),
    )
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** The visitor's orders in the book of a market. */
export function useOwnRests(ticker: string): OwnRest[] {
  return useOpenOrders(ticker).flatMap((order) => ownRestOf(order) ?? []);
}
