import { previewCalls } from './previewClient.ts';
import type * as auth from './schemas/auth.ts';
import type * as keys from './schemas/key.ts';
import type * as alerts from './schemas/priceAlert.ts';
import type * as push from './schemas/push.ts';
import type { SavedChange, SavedList } from './schemas/saved.ts';
import type * as webhooks from './schemas/webhook.ts';
import { sessionKeyCalls } from './sessionKeyClient.ts';
import { type ClientOptions, createTradingClient } from './tradingClient.ts';
import { type CallOptions, createTransport, type Methods, methodsOf } from './transport.ts';

const segment = encodeURIComponent;
const key = (id: string) => `/v1/keys/${segment(id)}`;
const webhook = (id: string) => `/v1/webhooks/${segment(id)}`;

/** API keys of the signed-in wallet; all of these need a bearer token. */
function keyCalls({ get, post, patch, delete: remove }: Methods) {
  return {
    listKeys: (query: Partial<keys.ApiKeyListQuery> = {}, options?: CallOptions) =>
      get<keys.ApiKeyList>('/v1/keys', { query, ...options }),
    /** The secret is returned in this response only. */
    createKey: (body: keys.CreateApiKeyInput, options?: CallOptions) =>
      post<keys.ApiKeyCreated>('/v1/keys', { body, ...options }),
    getKey: (id: string, options?: CallOptions) => get<keys.ApiKeyResponse>(key(id), options),
    getKeyUsage: (id: string, query: Partial<keys.ApiKeyUsageQuery> = {}, options?: CallOptions) =>
      get<keys.ApiKeyUsage>(`${key(id)}/usage`, { query, ...options }),
    updateKey: (id: string, body: keys.UpdateApiKeyRequest, options?: CallOptions) =>
      patch<keys.ApiKeyResponse>(key(id), { body, ...options }),
    rotateKey: (id: string, body: keys.RotateApiKeyInput = {}, options?: CallOptions) =>
      post<keys.ApiKeyCreated>(`${key(id)}/rotate`, { body, ...options }),
    revokeKey: (id: string, options?: CallOptions) => remove<keys.ApiKeyResponse>(key(id), options),
  };
}

/** Sign-ins of the wallet and what it saved in browsers; all of these need a bearer token. */
function ownCalls({ get, patch, delete: remove }: Methods) {
  return {
    listSessions: (options?: CallOptions) => get<auth.SessionList>('/v1/auth/sessions', options),
    endSession: (id: string, options?: CallOptions) =>
      remove<auth.SessionsEnded>(`/v1/auth/sessions/${segment(id)}`, options),
    endAllSessions: (query: auth.EndAllSessionsQuery = {}, options?: CallOptions) =>
      remove<auth.AllSessionsEnded>('/v1/auth/sessions', { query, ...options }),
    getSaved: (options?: CallOptions) => get<SavedList>('/v1/account/saved', options),
    changeSaved: (changes: SavedChange[], options?: CallOptions) =>
      patch<SavedList>('/v1/account/saved', { body: { changes }, ...options }),
  };
}

/** Browsers in which the signed-in wallet is notified; all of these need a bearer token. */
function pushCalls({ get, post, delete: remove }: Methods) {
  return {
    getPushState: (options?: CallOptions) => get<push.PushState>('/v1/push', options),
    /** Takes the result of `PushSubscription.toJSON()`. */
    subscribePush: (body: push.SubscribePushRequest, options?: CallOptions) =>
      post<push.PushSubscribed>('/v1/push', { body, ...options }),
    unsubscribePush: (id: string, options?: CallOptions) =>
      remove<push.PushUnsubscribed>(`/v1/push/${segment(id)}`, options),
  };
}

/** Price alerts of the signed-in wallet; all of these need a bearer token. */
function priceAlertCalls({ get, post, delete: remove }: Methods) {
  return {
    listPriceAlerts: (options?: CallOptions) =>
      get<alerts.PriceAlertList>('/v1/price-alerts', options),
    createPriceAlert: (body: alerts.CreatePriceAlertRequest, options?: CallOptions) =>
      post<alerts.PriceAlertCreated>('/v1/price-alerts', { body, ...options }),
    deletePriceAlert: (id: string, options?: CallOptions) =>
      remove<alerts.PriceAlertDeleted>(`/v1/price-alerts/${segment(id)}`, options),
  };
}

/** Webhooks of the signed-in wallet or, without a bearer token, of the API key. */
function webhookCalls({ get, post, patch, delete: remove }: Methods) {
  return {
    listWebhooks: (query: Partial<webhooks.WebhookListQuery> = {}, options?: CallOptions) =>
      get<webhooks.WebhookList>('/v1/webhooks', { query, ...options }),
    createWebhook: (body: webhooks.CreateWebhookInput, options?: CallOptions) =>
      post<webhooks.WebhookCreated>('/v1/webhooks', { body, ...options }),
    getWebhook: (id: string, options?: CallOptions) =>
      get<webhooks.WebhookResponse>(webhook(id), options),
    updateWebhook: (id: string, body: webhooks.UpdateWebhookRequest, options?: CallOptions) =>
      patch<webhooks.WebhookResponse>(webhook(id), { body, ...options }),
    deleteWebhook: (id: string, options?: CallOptions) =>
      remove<webhooks.WebhookDeleted>(webhook(id), options),
    getWebhookSecret: (id: string, options?: CallOptions) =>
      get<webhooks.WebhookSecret>(`${webhook(id)}/secret`, options),
    rotateWebhookSecret: (
      id: string,
      body: webhooks.RotateWebhookInput = {},
      options?: CallOptions,
    ) => post<webhooks.WebhookSecret>(`${webhook(id)}/rotate`, { body, ...options }),
    testWebhook: (id: string, options?: CallOptions) =>
      post<webhooks.WebhookDeliveryResponse>(`${webhook(id)}/test`, options),
    listWebhookDeliveries: (
      id: string,
      query: Partial<webhooks.DeliveryListQuery> = {},
      options?: CallOptions,
    ) => get<webhooks.WebhookDeliveryList>(`${webhook(id)}/deliveries`, { query, ...options }),
    getWebhookDelivery: (id: string, deliveryId: string, options?: CallOptions) =>
      get<webhooks.WebhookDeliveryResponse>(
        `${webhook(id)}/deliveries/${segment(deliveryId)}`,
        options,
      ),
    replayWebhookDelivery: (id: string, deliveryId: string, options?: CallOptions) =>
      post<webhooks.WebhookDeliveryResponse>(
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
    ...previewCalls(methods),
    ...sessionKeyCalls(methods),
    ...ownCalls(methods),
    ...keyCalls(methods),
    ...webhookCalls(methods),
    ...pushCalls(methods),
    ...priceAlertCalls(methods),
  };
}

export type CrossbookClient = ReturnType<typeof createClient>;
