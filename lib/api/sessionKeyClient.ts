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

/** The keys that sign orders of the signed-in wallet; both calls need a bearer token. */
export function sessionKeyCalls({ get, put }: Methods) {
  return {
    listSessionKeys: (options?: CallOptions) => get<SessionKeyList>(PATH, options),
    nameSessionKey: (key: string, body: NameSessionKeyRequest, options?: CallOptions) =>
      put<SessionKeyRecord>(`${PATH}/${encodeURIComponent(key)}`, { body, ...options }),
  };
}

/** Needed only where devices are shown, added or removed. */
export function createSessionKeyClient(options: TransportOptions) {
  return sessionKeyCalls(methodsOf(createTransport(options)));
}

export type SessionKeyClient = ReturnType<typeof createSessionKeyClient>;
