import { z } from 'zod';
import * as shapes from '#lib/api/schemas/key.ts';
import { listKeyUsage } from '../../domain/auth/keyUsage.ts';
import {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
} from '../../domain/auth/manageApiKeys.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Authority } from '../middleware/authenticate.ts';
import { ownerOf } from '../middleware/caller.ts';
import { type Route, route } from './route.ts';

type Deps = { database: Database; config: { chain: { sandbox: boolean } } };

const COMMON = {
  tags: ['API keys'],
  auth: { apiKey: 'optional', token: 'required' },
  rateClass: 'account',
} as const;

const path = '/v1/keys/{id}';
const params = z.strictObject({ id: shapes.apiKeyIdSchema });

const readRoutes: Route<Deps>[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/v1/keys',
    operationId: 'listApiKeys',
    summary: 'List the API keys of the signed-in wallet',
    description: 'Newest first, revoked and expired ones included. Secrets are never shown again.',
    query: shapes.apiKeyListQuerySchema,
    response: { schema: shapes.apiKeyListSchema },
    handler: ({ deps, caller, query }) => listApiKeys(deps, { owner: ownerOf(caller), ...query }),
  }),
  route({
    ...COMMON,
    method: 'GET',
    path,
    operationId: 'getApiKey',
    summary: 'Get an API key',
    params,
    response: { schema: shapes.apiKeyResponseSchema },
    handler: async ({ deps, caller, params: { id } }) => ({
      key: await getApiKey(deps, { owner: ownerOf(caller), id }),
    }),
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/v1/keys/{id}/usage',
    operationId: 'getApiKeyUsage',
    summary: 'Get API key usage',
    description: 'Requests per day, with a delay of some seconds.',
    params,
    query: shapes.apiKeyUsageQuerySchema,
    response: { schema: shapes.apiKeyUsageSchema },
    handler: ({ deps, caller, params: { id }, query }) =>
      listKeyUsage(deps, { owner: ownerOf(caller), id, ...query }),
  }),
];

/** What the signed-in owner does with the keys of a wallet. */
export function keyRoutes({ apiKeys }: Authority): Route<Deps>[] {
  return [
    ...readRoutes,
    route({
      ...COMMON,
      method: 'POST',
      path: '/v1/keys',
      operationId: 'createApiKey',
      summary: 'Create an API key',
      description:
        'The response contains the secret, only once. A key is restricted to IP ranges or origins if ' +
        'they are given, and stays valid until it expires or is revoked.',
      status: 201,
      body: shapes.createApiKeyRequestSchema,
      response: { schema: shapes.apiKeyCreatedSchema },
      handler: ({ deps, caller, body }) =>
        createApiKey(deps, {
          owner: ownerOf(caller),
          kind: deps.config.chain.sandbox ? 'test' : 'live',
          request: body,
        }),
    }),
    route({
      ...COMMON,
      method: 'PATCH',
      path,
      operationId: 'updateApiKey',
      summary: 'Change an API key',
      description: 'Takes effect everywhere within seconds.',
      params,
      body: shapes.updateApiKeyRequestSchema,
      response: { schema: shapes.apiKeyResponseSchema },
      async handler({ deps, caller, params: { id }, body }) {
        const key = await updateApiKey(deps, { owner: ownerOf(caller), id, request: body });
        apiKeys.forget();
        return { key };
      },
    }),
    route({
      ...COMMON,
      method: 'POST',
      path: '/v1/keys/{id}/rotate',
      operationId: 'rotateApiKey',
      summary: 'Rotate the secret of an API key',
      description:
        'The key keeps its ID and orders. The old secret stays valid during the overlap.',
      params,
      body: shapes.rotateApiKeyRequestSchema,
      response: { schema: shapes.apiKeyCreatedSchema },
      async handler({ deps, caller, params: { id }, body }) {
        const rotated = await rotateApiKey(deps, { owner: ownerOf(caller), id, ...body });
        apiKeys.forget();
        return rotated;
      },
    }),
    route({
      ...COMMON,
      method: 'DELETE',
      path,
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key',
      description:
        'Cannot be undone. The key stops working within seconds; its orders are still processed.',
      params,
      response: { schema: shapes.apiKeyResponseSchema },
      async handler({ deps, caller, params: { id } }) {
        const key = await revokeApiKey(deps, { owner: ownerOf(caller), id });
        apiKeys.forget();
        return { key };
      },
    }),
  ];
}
