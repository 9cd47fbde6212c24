import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useFullClient } from '#components/app/useFullClient.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { CreatePriceAlertRequest } from '#lib/api/schemas/priceAlert.ts';
import { priceAlertKeys, priceAlertsQuery } from '#lib/browser/queries/priceAlerts.ts';

/** The visitor's price alerts; of one market if it is given. */
export function usePriceAlerts(ticker?: string) {
  const api = useFullClient();
  const { wallet, session } = useVisitor();
  const query = useQuery({
    ...priceAlertsQuery(api, wallet.address ?? ''),
    enabled: session !== undefined,
  });
  const alerts = query.data?.filter((alert) => ticker === undefined || alert.ticker === ticker);
  return { alerts, isError: query.isError && !query.data };
}

function useChanged() {
  const cache = useQueryClient();
  const { wallet } = useVisitor();
  const queryKey = priceAlertKeys.list(wallet.address ?? '');
  return { onSettled: () => cache.invalidateQueries({ queryKey }) };
}

export function useCreateAlert() {
  const api = useFullClient();
  return useMutation({
    mutationFn: (request: CreatePriceAlertRequest) => api.createPriceAlert(request),
    ...useChanged(),
  });
}

export function useDeleteAlert() {
  const api = useFullClient();
  return useMutation({
    mutationFn: (id: string) => api.deletePriceAlert(id),
    ...useChanged(),
  });
}
