import { z } from 'zod';
import * as shapes from '#lib/api/schemas/relay.ts';
import { createRelay, getRelay, type RelayDeps, readRelayTerms } from '../../domain/relay/relay.ts';
import { type GuardDeps, guardRelay } from '../middleware/complianceGuard.ts';
import { type Route, route } from './route.ts';

type Deps = RelayDeps & GuardDeps;

const COMMON = {
  tags: ['Accounts'],
  available: ({ config }: Deps) => config.relay !== undefined,
} as const;
const READ = {
  ...COMMON,
  method: 'GET',
  auth: { apiKey: 'required', token: 'none', scope: 'read' },
  rateClass: 'quote',
} as const;

export const relayRoutes: Route<Deps>[] = [
  route({
    ...READ,
    path: '/v1/relay',
    operationId: 'getRelayTerms',
    summary: 'Get what the service sends for a wallet',
    description:
      'The service sends signed messages of owners and pays the network fee, within a daily ' +
      'budget per account. Returns the nonce of the next batch and what is left today.',
    query: shapes.relayTermsQuerySchema,
    response: { schema: shapes.relayTermsSchema },
    handler: ({ deps, query }) => readRelayTerms(deps, query.address),
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/v1/relay',
    operationId: 'relay',
    summary: 'Have a signed message sent',
    description:
      'Sends a batch of calls of the smart account, or a deposit from the wallet, that the owner ' +
      'signed (EIP-712). The service pays the network fee. The signature is the authority, so no ' +
      'bearer token is needed. The message is simulated first and stored before it is sent; the ' +
      'same message again returns the same relay. Follow it by its id.',
    auth: { apiKey: 'required', token: 'none', scope: 'trade' },
    // Each one is simulated at the node.
    rateClass: 'account',
    body: shapes.relayRequestSchema,
    response: { schema: shapes.relayCreatedSchema },
    async handler({ deps, body, c }) {
      await guardRelay({ deps, c }, body);
      return { success: true, relay: await createRelay(deps, body) };
    },
  }),
  route({
    ...READ,
    path: '/v1/relay/{id}',
    operationId: 'getRelay',
    summary: 'Get a relayed message',
    params: z.strictObject({ id: shapes.relayIdSchema }),
    response: { schema: shapes.relaySchema },
    handler: ({ deps, params }) => getRelay(deps, params.id),
  }),
];
