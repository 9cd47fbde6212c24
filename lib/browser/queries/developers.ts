import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { CrossbookClient } from '#lib/api/client.ts';
import type { DeliveryListQuery } from '#lib/api/schemas/webhook.ts';

export type DeliveryFilter = Partial<Pick<DeliveryListQuery, 'status'>>;

export const developerKeys = {
  apiKeys: (owner: string) => ['developers', owner.toLowerCase(), 'keys'] as const,
  apiKeyUsage: (id: string) => ['developers', 'key', id, 'usage'] as const,
  webhooks: (owner: string) => ['developers', owner.toLowerCase(), 'webhooks'] as const,
  webhook: (id: string) => ['developers', 'webhook', id] as const,
  deliveries: (id: string, filter: DeliveryFilter) =>
    ['developers', 'webhook', id, 'deliveries', filter] as const,
  delivery: (id: string, deliveryId: string) =>
    ['developers', 'webhook', id, 'delivery', deliveryId] as const,
};

/** More than a person keeps track of. */
const MOST = 100;

/** The API keys of the signed-in wallet, newest first. */
export function apiKeysQuery(client: CrossbookClient, owner: string) {
  return queryOptions({
    queryKey: developerKeys.apiKeys(owner),
    queryFn: ({ signal }) => client.listKeys({ limit: MOST }, { signal }),
  });
}

/** Requests of a key per day. */
export function apiKeyUsageQuery(client: CrossbookClient, id: string) {
  return queryOptions({
    queryKey: developerKeys.apiKeyUsage(id),
    queryFn: ({ signal }) => client.getKeyUsage(id, {}, { signal }),
    refetchInterval: 10_000,
  });
}

export function webhooksQuery(client: CrossbookClient, owner: string) {
  return queryOptions({
    queryKey: developerKeys.webhooks(owner),
    queryFn: ({ signal }) => client.listWebhooks({ limit: MOST }, { signal }),
    refetchInterval: 15_000,
  });
}

export function webhookQuery(client: CrossbookClient, id: string) {
  return queryOptions({
    queryKey: developerKeys.webhook(id),
    queryFn: ({ signal }) => client.getWebhook(id, { signal }),
    refetchInterval: 10_000,
  });
}

/** Deliveries to a webhook, newest first, page by page. */
export function deliveriesQuery(client: CrossbookClient, id: string, filter: DeliveryFilter) {
  return infiniteQueryOptions({
    queryKey: developerKeys.deliveries(id, filter),
    queryFn: ({ signal, pageParam }) =>
      client.listWebhookDeliveries(
        id,
        { ...filter, limit: 25, ...(pageParam !== '' && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.cursor || undefined,
    refetchInterval: 3_000,
  });
}

/** One delivery with its payload and every attempt. */
export function deliveryQuery(client: CrossbookClient, id: string, deliveryId: string) {
  return queryOptions({
    queryKey: developerKeys.delivery(id, deliveryId),
    queryFn: ({ signal }) => client.getWebhookDelivery(id, deliveryId, { signal }),
    refetchInterval: (query) => (query.state.data?.delivery.status === 'pending' ? 2_000 : false),
  });
}
