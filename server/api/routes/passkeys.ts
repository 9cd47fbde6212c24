import { z } from 'zod';
import {
  credentialIdSchema,
  passkeyRequestSchema,
  passkeySchema,
} from '#lib/api/schemas/passkey.ts';
import { getPasskey, type PasskeyDeps, storePasskey } from '../../domain/accounts/passkeys.ts';
import { type Route, route } from './route.ts';

const COMMON = {
  tags: ['Accounts'],
  available: ({ config }: PasskeyDeps) => config.chain.contracts.passkeyFactory !== undefined,
  response: { schema: passkeySchema },
} as const;

export const passkeyRoutes: Route<PasskeyDeps>[] = [
  route({
    ...COMMON,
    method: 'POST',
    path: '/v1/passkeys',
    operationId: 'storePasskey',
    summary: 'Store the public key of a passkey',
    description:
      'Stores the public key of a new passkey under its credential id, so that a second device ' +
      'finds the account. The key is public; the service learns no secret. A credential keeps its ' +
      'first key.',
    auth: { apiKey: 'required', token: 'none', scope: 'trade' },
    rateClass: 'trade',
    body: passkeyRequestSchema,
    handler: ({ deps, body }) => storePasskey(deps, body),
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/v1/passkeys/{credentialId}',
    operationId: 'getPasskey',
    summary: 'Get the public key of a passkey',
    description:
      'Returns the public key of a credential and the wallet that it owns. Check the key against a ' +
      'signature of the passkey before you rely on it.',
    auth: { apiKey: 'required', token: 'none', scope: 'read' },
    rateClass: 'quote',
    params: z.strictObject({ credentialId: credentialIdSchema }),
    handler: ({ deps, params }) => getPasskey(deps, params.credentialId),
  }),
];
