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
import type { CallOptions, Transport } from './transport.ts';

const segment = encodeURIComponent;
const key = (id: string) => `/v1/keys/${segment(id)}`;
const webhook = (id: string) => `/v1/webhooks/${segment(id)}`;

/** API keys of the signed-in wallet; all of these need a bearer token. */
export function keyCalls(call: Transport) {
  return {
    listKeys: (query: Partial<ApiKeyListQuery> = {}, options: CallOptions = {}) =>
      call<ApiKeyList>({ method: 'GET', path: '/v1/keys', query, ...options }),
    /** The secret is returned in this response only. */
    createKey: (body: CreateApiKeyInput, options: CallOptions = {}) =>
      call<ApiKeyCreated>({ method: 'POST', path: '/v1/keys', body, ...options }),
    getKey: (id: string, options: CallOptions = {}) =>
      call<ApiKeyResponse>({ method: 'GET', path: key(id), ...options }),
    getKeyUsage: (id: string, query: Partial<ApiKeyUsageQuery> = {}, options: CallOptions = {}) =>
      call<ApiKeyUsage>({ method: 'GET', path: `${key(id)}/usage`, query, ...options }),
    updateKey: (id: string, body: UpdateApiKeyRequest, options: CallOptions = {}) =>
      call<ApiKeyResponse>({ method: 'PATCH', path: key(id), body, ...options }),
    rotateKey: (id: string, body: RotateApiKeyInput = {}, options: CallOptions = {}) =>
      call<ApiKeyCreated>({ method: 'POST', path: `${key(id)}/rotate`, body, ...options }),
    revokeKey: (id: string, options: CallOptions = {}) =>
      call<ApiKeyResponse>({ method: 'DELETE', path: key(id), ...options }),
  };
}

/** Browsers in which the signed-in wallet is notified; all of these need a bearer token. */
export function pushCalls(call: Transport) {
  return {
    getPushState: (options: CallOptions = {}) =>
      call<PushState>({ method: 'GET', path: '/v1/push', ...options }),
    /** Takes the result of `PushSubscription.toJSON()`. */
    subscribePush: (body: SubscribePushRequest, options: CallOptions = {}) =>
      call<PushSubscribed>({ method: 'POST', path: '/v1/push', body, ...options }),
    unsubscribePush: (id: string, options: CallOptions = {}) =>
      call<PushUnsubscribed>({ method: 'DELETE', path: `/v1/push/${segment(id)}`, ...options }),
  };
}

/** Webhooks of the signed-in wallet or, without a bearer token, of the API key. */
export function webhookCalls(call: Transport) {
  return {
    listWebhooks: (query: Partial<WebhookListQuery> = {}, options: CallOptions = {}) =>
      call<WebhookList>({ method: 'GET', path: '/v1/webhooks', query, ...options }),
    createWebhook: (body: CreateWebhookInput, options: CallOptions = {}) =>
      call<WebhookCreated>({ method: 'POST', path: '/v1/webhooks', body, ...options }),
    getWebhook: (id: string, options: CallOptions = {}) =>
      call<WebhookResponse>({ method: 'GET', path: webhook(id), ...options }),
    updateWebhook: (id: string, body: UpdateWebhookRequest, options: CallOptions = {}) =>
      call<WebhookResponse>({ method: 'PATCH', path: webhook(id), body, ...options }),
    deleteWebhook: (id: string, options: CallOptions = {}) =>
      call<WebhookDeleted>({ method: 'DELETE', path: webhook(id), ...options }),
    getWebhookSecret: (id: string, options: CallOptions = {}) =>
      call<WebhookSecret>({ method: 'GET', path: `${webhook(id)}/secret`, ...options }),
    rotateWebhookSecret: (id: string, body: RotateWebhookInput = {}, options: CallOptions = {}) =>
      call<WebhookSecret>({ method: 'POST', path: `${webhook(id)}/rotate`, body, ...options }),
    testWebhook: (id: string, options: CallOptions = {}) =>
      call<WebhookDeliveryResponse>({ method: 'POST', path: `${webhook(id)}/test`, ...options }),
    listWebhookDeliveries: (
      id: string,
      query: Partial<DeliveryListQuery> = {},
      options: CallOptions = {},
    ) =>
      call<WebhookDeliveryList>({
        method: 'GET',
        path: `${webhook(id)}/deliveries`,
        query,
        ...options,
      }),
    getWebhookDelivery: (id: string, deliveryId: string, options: CallOptions = {}) =>
      call<WebhookDeliveryResponse>({
        method: 'GET',
        path: `${webhook(id)}/deliveries/${segment(deliveryId)}`,
        ...options,
      }),
    replayWebhookDelivery: (id: string, deliveryId: string, options: CallOptions = {}) =>
      call<WebhookDeliveryResponse>({
        method: 'POST',
        path: `${webhook(id)}/deliveries/${segment(deliveryId)}/replay`,
        ...options,
      }),
  };
}
