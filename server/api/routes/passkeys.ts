import { z } from 'zod';
import {
  credentialIdSchema,
  passkeyRequestSchema,
  passkeySchema,
  walletOwnersQuerySchema,
  walletOwnersSchema,
} from '#lib/api/schemas/passkey.ts';
import { getPasskey, storePasskey } from '../../domain/accounts/passkeys.ts';
import type { RelayDeps } from '../../domain/relay/relay.ts';
import { readWalletOwners } from '../../domain/relay/walletOwners.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Route, route } from './route.ts';

type Deps = RelayDeps & { config: Pick<Config, 'chain'> };

const COMMON = {
  tags: ['Accounts'],
  available: ({ config }: Deps) => config.chain.contracts.passkeyFactory !== undefined,
} as const;
const ONE = { ...COMMON, response: { schema: passkeySchema } } as const;
const READ = {
  ...COMMON,
  method: 'GET',
  auth: { apiKey: 'required', token: 'none', scope: 'read' },
  rateClass: 'quote',
} as const;

export const passkeyRoutes: Route<Deps>[] = [
  route({
    ...ONE,
    method: 'POST',
    path: '/v1/passkeys',
    operationId: 'storePasskey',
    summary: 'Store the public key of a passkey',
    description:
      'Stores the public key of a new passkey under its credential id, so that a second device ' +
      'finds the account. The key is public; the service learns no secret. A credential keeps the ' +
      'key and wallet that it was first stored with. Only the wallet itself makes a passkey its owner.',
    auth: { apiKey: 'required', token: 'none', scope: 'trade' },
    rateClass: 'trade',
    body: passkeyRequestSchema,
    handler: ({ deps, body }) => storePasskey(deps, body),
  }),
  route({
    ...READ,
    ...ONE,
    path: '/v1/passkeys/{credentialId}',
    operationId: 'getPasskey',
    summary: 'Get the public key of a passkey',
    description:
      'Returns the public key of a credential, the wallet that it owns, and whether it still does. ' +
      'Check the key against a signature of the passkey before you rely on it.',
    params: z.strictObject({ credentialId: credentialIdSchema }),
    handler: ({ deps, params }) => getPasskey(deps, params.credentialId),
  }),
  route({
    ...READ,
    path: '/v1/account/owners',
    operationId: 'getWalletOwners',
    summary: 'Get the owners of a passkey’s wallet',
    description:
      'Returns the passkeys and wallets that own a passkey’s wallet, and with it the smart account, ' +
      'from the chain. Any of them adds or removes owners with a signed batch of the wallet, which ' +
      'POST /v1/relay sends.',
    query: walletOwnersQuerySchema,
    response: { schema: walletOwnersSchema },
    handler: ({ deps, query }) => readWalletOwners(deps, query.address),
  }),
];
