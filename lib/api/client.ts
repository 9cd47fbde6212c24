import type {
  ApiKeyCreated,
  ApiKeyList,
  ApiKeyListQuery,
  ApiKeyResponse,
  ApiKeyUsage,
  ApiKeyUsageQuery,
  CreateApiKeyInput,
  RotateApiKeyInput,
  UpdateApiKeyRequest,
} from './schemas/key.ts';
import type {
  PushState,
  PushSubscribed,
  PushUnsubscribed,
  SubscribePushRequest,
} from './schemas/push.ts';
import type {
  CreateWebhookInput,
  DeliveryListQuery,
  RotateWebhookInput,
  UpdateWebhookRequest,
  WebhookCreated,
  WebhookDeleted,
  WebhookDeliveryList,
  WebhookDeliveryResponse,
  WebhookList,
  WebhookListQuery,
  WebhookResponse,
  WebhookSecret,
} from './schemas/webhook.ts';

import { type ClientOptions, createTradingClient } from './tradingClient.ts';
import { type CallOptions, createTransport, type Methods, methodsOf } from './transport.ts';

const segment = encodeURIComponent;
const key = (id: string) => `/v1/keys/${segment(id)}`;
const webhook = (id: string) => `/v1/webhooks/${segment(id)}`;

/** API keys of the signed-in wallet; all of these need a bearer token. */
function keyCalls({ get, post, patch, delete: remove }: Methods) {
  return {
    listKeys: (query: Partial<ApiKeyListQuery> = {}, options?: CallOptions) =>
      get<ApiKeyList>('/v1/keys', { query, ...options }),
    /** The secret is returned in this response only. */
    createKey: (body: CreateApiKeyInput, options?: CallOptions) =>
      post<ApiKeyCreated>('/v1/keys', { body, ...options }),
    getKey: (id: string, options?: CallOptions) => get<ApiKeyResponse>(key(id), options),
    getKeyUsage: (id: string, query: Partial<ApiKeyUsageQuery> = {}, options?: CallOptions) =>
      get<ApiKeyUsage>(`${key(id)}/usage`, { query, ...options }),
    updateKey: (id: string, body: UpdateApiKeyRequest, options?: CallOptions) =>
      patch<ApiKeyResponse>(key(id), { body, ...options }),
    rotateKey: (id: string, body: RotateApiKeyInput = {}, options?: CallOptions) =>
      post<ApiKeyCreated>(`${key(id)}/rotate`, { body, ...options }),
    revokeKey: (id: string, options?: CallOptions) => remove<ApiKeyResponse>(key(id), options),
  };
}

/** Browsers in which the signed-in wallet is notified; all of these need a bearer token. */
function pushCalls({ get, post, delete: remove }: Methods) {
  return {
    getPushState: (options?: CallOptions) => get<PushState>('/v1/push', options),
    /** Takes the result of `PushSubscription.toJSON()`. */
    subscribePush: (body: SubscribePushRequest, options?: CallOptions) =>
      post<PushSubscribed>('/v1/push', { body, ...options }),
    unsubscribePush: (id: string, options?: CallOptions) =>
      remove<PushUnsubscribed>(`/v1/push/${segment(id)}`, options),
  };
}

/** Webhooks of the signed-in wallet or, without a bearer token, of the API key. */
function webhookCalls({ get, post, patch, delete: remove }: Methods) {
  return {
    listWebhooks: (query: Partial<WebhookListQuery> = {}, options?: CallOptions) =>
      get<WebhookList>('/v1/webhooks', { query, ...options }),
    createWebhook: (body: CreateWebhookInput, options?: CallOptions) =>
      post<WebhookCreated>('/v1/webhooks', { body, ...options }),
    getWebhook: (id: string, options?: CallOptions) => get<WebhookResponse>(webhook(id), options),
    updateWebhook: (id: string, body: UpdateWebhookRequest, options?: CallOptions) =>
      patch<WebhookResponse>(webhook(id), { body, ...options }),
    deleteWebhook: (id: string, options?: CallOptions) =>
      remove<WebhookDeleted>(webhook(id), options),
    getWebhookSecret: (id: string, options?: CallOptions) =>
      get<WebhookSecret>(`${webhook(id)}/secret`, options),
    rotateWebhookSecret: (id: string, body: RotateWebhookInput = {}, options?: CallOptions) =>
      post<WebhookSecret>(`${webhook(id)}/rotate`, { body, ...options }),
    testWebhook: (id: string, options?: CallOptions) =>
      post<WebhookDeliveryResponse>(`${webhook(id)}/test`, options),
    listWebhookDeliveries: (
      id: string,
      query: Partial<DeliveryListQuery> = {},
      options?: CallOptions,
    ) => get<WebhookDeliveryList>(`${webhook(id)}/deliveries`, { query, ...options }),
    getWebhookDelivery: (id: string, deliveryId: string, options?: CallOptions) =>
      get<WebhookDeliveryResponse>(`${webhook(id)}/deliveries/${segment(deliveryId)}`, options),
    replayWebhookDelivery: (id: string, deliveryId: string, options?: CallOptions) =>
      post<WebhookDeliveryResponse>(
        `${webhook(id)}/deliveries/${segment(deliveryId)}/replay`,
        options,
      ),
  };
}

/**
 * A typed client of all of /v1. Every call throws an `ApiProblem` for an error response or a
 * missing one.
 */
export function createClient(options: ClientOptions) {
  const methods = methodsOf(createTransport(options));
  return {
    ...createTradingClient(options),
    ...keyCalls(methods),
    ...webhookCalls(methods),
    ...pushCalls(methods),
  };
}

export type CrossbookClient = ReturnType<typeof createClient>;
