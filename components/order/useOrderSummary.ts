import { useQueries, useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { tokenQuery } from '#lib/browser/queries/names.ts';
import { type OrderSummary, orderSummary, withToken } from './orderView.ts';

/** The summary of an order; a withdrawal of contracts names only their token, which is looked up. */
export function useOrderSummary(order: Pick<OrderRecord, 'action' | 'isRedemption'>): OrderSummary {
  const { api } = useApp();
  const withdrawn = withdrawnToken(order);
  const { data } = useQuery({
    ...tokenQuery(api, withdrawn ?? ''),
    enabled: withdrawn !== undefined,
  });
  const summary = orderSummary(order);
  return data ? withToken(summary, order, data) : summary;
}

/**
 * The markets of a list's orders, withdrawn contracts' included; undefined until their tokens are
 * looked up.
 */
export function useOrderMarkets(orders: readonly OrderRecord[] | undefined): string[] | undefined {
  const { api } = useApp();
  const tokens = new Set(orders?.flatMap((order) => withdrawnToken(order) ?? []));
  const { areKnown, found } = useQueries({
    queries: [...tokens].map((token) => tokenQuery(api, token)),
    combine: (results) => ({
      areKnown: results.every((result) => !result.isPending),
      found: results.flatMap(({ data }) => data?.marketId ?? []),
    }),
  });
  if (!orders || !areKnown) return undefined;
  return [...orders.flatMap((order) => orderSummary(order).marketId ?? []), ...found];
}

function withdrawnToken({ action }: Pick<OrderRecord, 'action'>): string | undefined {
  if (action.orderType !== 'Withdraw' || action.withdrawal.tokenType === 'erc20') return undefined;
  return action.withdrawal.tokenId;
}
