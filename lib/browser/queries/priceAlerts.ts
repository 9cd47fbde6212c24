import { queryOptions } from '@tanstack/react-query';
import type { CrossbookClient } from '#lib/api/client.ts';

export const priceAlertKeys = {
  /** Keyed by the owner: one account's alerts must not appear to the next. */
  list: (owner: string) => ['price-alerts', owner.toLowerCase()] as const,
};

const WAITING_POLL_MS = 5_000;
const IDLE_POLL_MS = 60_000;

/** The owner's alerts, set on any device. */
export function priceAlertsQuery(client: Pick<CrossbookClient, 'listPriceAlerts'>, owner: string) {
  return queryOptions({
    queryKey: priceAlertKeys.list(owner),
    queryFn: async ({ signal }) => (await client.listPriceAlerts({ signal })).priceAlerts,
    // The stream does not report alerts. While none waits, only another device can set one.
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ status }) => status === 'waiting') ? WAITING_POLL_MS : IDLE_POLL_MS,
  });
}
