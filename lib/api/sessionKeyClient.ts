import type { AmendOrderRequest } from './schemas/limitOrder.ts';
import type { OrderToSign } from './schemas/order.ts';
import type {
  NameSessionKeyRequest,
  SessionKeyList,
  SessionKeyRecord,
} from './schemas/sessionKey.ts';
import {
  type CallOptions,
  createTransport,
  type Methods,
  methodsOf,
  type TransportOptions,
} from './transport.ts';

const PATH = '/v1/account/session-keys';

/** The keys that sign orders of the signed-in wallet; all of these need a bearer token. */
export function sessionKeyCalls({ get, post, put }: Methods) {
  return {
    /** What a session key signs for `amendOrder`; `amendSigned` of lib/order/amendSigned.ts does both. */
    prepareAmendment: (id: string, body: AmendOrderRequest, options?: CallOptions) =>
      post<OrderToSign>(`/v1/order/${encodeURIComponent(id)}/typed-data`, { body, ...options }),
    listSessionKeys: (options?: CallOptions) => get<SessionKeyList>(PATH, options),
    nameSessionKey: (key: string, body: NameSessionKeyRequest, options?: CallOptions) =>
      put<SessionKeyRecord>(`${PATH}/${encodeURIComponent(key)}`, { body, ...options }),
  };
}

/** Needed only where devices are managed, or an order is amended. */
export function createSessionKeyClient(options: TransportOptions) {
  return sessionKeyCalls(methodsOf(createTransport(options)));
}

export type SessionKeyClient = ReturnType<typeof createSessionKeyClient>;
