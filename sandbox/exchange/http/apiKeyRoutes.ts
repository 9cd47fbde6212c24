import {
  addApiKey,
  deleteApiKey,
  generateApiKey,
  listApiKeys,
  SCOPES,
  type Scope,
} from '../apiKeys.ts';
import { badParameter, fieldsOf, ok, type Route, textOf } from './route.ts';

const PATH = '/api_keys';
const written = { keyed: true, write: true };

/** @throws {Refusal} */
function newKeyOf(fields: Record<string, unknown>): { name: string; scopes: readonly Scope[] } {
  const name = textOf(fields.name);
  if (name === '') throw badParameter('name is required');
  if (fields.scopes === undefined) return { name, scopes: SCOPES };
  const given: unknown[] = Array.isArray(fields.scopes) ? fields.scopes : [];
  const scopes = SCOPES.filter((scope) => given.includes(scope));
  if (scopes.length === 0 || scopes.length !== given.length || !scopes.includes('read')) {
    throw badParameter('scopes must be read, or read and write');
  }
  return { name, scopes };
}

/** Keys of the account, as its owner's page and the published clients manage them. */
export const apiKeyRoutes: Route[] = [
  {
    keyed: true,
    method: 'GET',
    path: PATH,
    handle: ({ exchange, account }) =>
      ok({
        api_keys: listApiKeys(exchange, account).map(({ keyId, name, scopes }) => ({
          api_key_id: keyId,
          name,
          scopes,
        })),
        ...(exchange.regionExpiresAt === undefined
          ? {}
          : { api_key_region_expiration_ts: Math.floor(exchange.regionExpiresAt / 1000) }),
      }),
  },
  {
    ...written,
    method: 'POST',
    path: PATH,
    async handle({ exchange, account, body }) {
      const fields = fieldsOf(body);
      const publicKeyPem = textOf(fields.public_key);
      const made = addApiKey(exchange, account, { ...newKeyOf(fields), publicKeyPem });
      await exchange.store.durable();
      return { status: 201, body: { api_key_id: made.keyId } };
    },
  },
  {
    ...written,
    method: 'POST',
    path: `${PATH}/generate`,
    async handle({ exchange, account, body }) {
      const fields = fieldsOf(body);
      const type = textOf(fields.key_type).toLowerCase() === 'ed25519' ? 'ed25519' : 'rsa';
      const made = generateApiKey(exchange, account, { ...newKeyOf(fields), type });
      await exchange.store.durable();
      return {
        status: 201,
        body: { api_key_id: made.key.keyId, private_key: made.privateKeyPem },
      };
    },
  },
  {
    ...written,
    method: 'DELETE',
    path: `${PATH}/*`,
    async handle({ exchange, account, params: [keyId = ''] }) {
      deleteApiKey(exchange, account, keyId);
      await exchange.store.durable();
      return { status: 204 };
    },
  },
];
