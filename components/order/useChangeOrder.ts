import { useMutation, useQueryClient } from '@tanstack/react-query';
import { clientOptions, useApp } from '#components/app/useApp.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { AmendOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import type { OrderRecord, OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { accountKeys } from '#lib/browser/queries/account.ts';
import { orderKeys } from '#lib/browser/queries/orders.ts';
import { isParked } from '#lib/market/restingOrder.ts';

/** Whether the owner may end the order now. */
export function isCancellable(order: OrderRecord): boolean {
  return order.status === 'pending' || (isParked(order) && order.endReason === null);
}

function useApplied() {
  const cache = useQueryClient();
  return {
    onSuccess: ({ order }: { order: OrderRecordWithEvents }) => {
      cache.setQueriesData({ queryKey: orderKeys.detail(order.id) }, order);
      void cache.invalidateQueries({ queryKey: orderKeys.lists });
      void cache.invalidateQueries({ queryKey: orderKeys.allPages });
    },
    // The order may have changed meanwhile: what is on screen is old.
    onError: () => cache.invalidateQueries({ queryKey: orderKeys.all }),
  };
}

export function useCancelOrder(order: OrderRecord) {
  const { api } = useApp();
  return useMutation({ mutationFn: () => api.cancelOrder(order.id), ...useApplied() });
}

export function useAmendOrder(order: OrderRecord) {
  const { api, site } = useApp();
  const { account } = useVisitor();
  return useMutation({
    mutationFn: async (change: AmendOrderRequest) => {
      const { amendFromDevice } = await import('#lib/browser/account/deviceKey.ts');
      const service = { api, client: clientOptions(site) };
      return await amendFromDevice(service, account, order, change);
    },
    ...useApplied(),
  });
}

/** Ends all orders that rest or wait for a price: of one market if it is given. */
export function useCancelOrders(ticker: string | undefined) {
  const { api } = useApp();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => api.cancelOrders(ticker === undefined ? {} : { ticker }),
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: orderKeys.all });
      void cache.invalidateQueries({ queryKey: accountKeys.all });
    },
  });
}
