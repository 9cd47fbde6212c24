import { queryOptions } from '@tanstack/react-query';
import type { CrossbookClient } from '#lib/api/client.ts';
import { pollEvery } from '../live/liveStatus.ts';

export const priceAlertKeys = {
  /** Keyed by the owner: one account's alerts must not appear to the next. */
  list: (owner: string) => ['price-alerts', owner.toLowerCase()] as const,
};

/** The owner's alerts, set on any device. */
export function priceAlertsQuery(client: Pick<CrossbookClient, 'listPriceAlerts'>, owner: string) {
  return queryOptions({
    queryKey: priceAlertKeys.list(owner),
    queryFn: async ({ signal }) => (await client.listPriceAlerts({ signal })).priceAlerts,
    // While none waits, none can fire.
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ status }) => status === 'waiting')
        ? pollEvery(5_000, 30_000)
        : pollEvery(30_000, 120_000),
  });
}
