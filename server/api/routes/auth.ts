import type { Address } from 'viem';
import { z } from 'zod';
import * as shapes from '#lib/api/schemas/auth.ts';
import type { AccountDeps } from '../../domain/accounts/accounts.ts';
import { ownerSigningIn } from '../../domain/accounts/signedInOwner.ts';
import { issueAccessToken } from '../../domain/auth/accessTokens.ts';
import { listActiveKeyIds, revokeAllApiKeys } from '../../domain/auth/manageApiKeys.ts';
import { beginSession, endSessions, listSessions } from '../../domain/auth/sessions.ts';
import { issueSignInMessage } from '../../domain/auth/signIn.ts';
import { unsubscribeAll } from '../../domain/notifications/push/subscriptions.ts';
import {
  countEnabledWebhooks,
  disableAllWebhooks,
} from '../../domain/notifications/webhooks/manageWebhooks.ts';
import type { Authority } from '../middleware/authenticate.ts';
import { ownerOf } from '../middleware/caller.ts';
import { type Route, route } from './route.ts';

type Deps = AccountDeps & { config: { publicBaseUrl: string } };

const OPEN = { tags: ['Authentication'], auth: { apiKey: 'none', token: 'none' } } as const;

const OWN_SESSIONS = {
  tags: ['Authentication'],
  auth: { apiKey: 'optional', token: 'required' },
  rateClass: 'account',
} as const;

/** All of it or nothing: should it fail, the session that asks is still there to ask again. */
async function signOutEverywhere(
  authority: Authority,
  deps: Deps,
  input: { owner: Address; query: shapes.EndAllSessionsQuery },
): Promise<shapes.AllSessionsEnded> {
  const { owner, query } = input;
  const all = await deps.database.orm.transaction(async (tx) => {
    const ended = await endSessions({ database: { orm: tx } }, { owner });
    await unsubscribeAll(tx, owner);
    const keyIds = await listActiveKeyIds(tx, owner);
    return {
      ended,
      ...(query.webhooks === 'true' && {
        webhooksDisabled: await disableAllWebhooks(tx, { owner, keyIds }),
      }),
      ...(query.apiKeys === 'true' && { apiKeysRevoked: await revokeAllApiKeys(tx, owner) }),
    };
  });
  authority.apiKeys.forget();
  return all;
}

const sessionRoutes = (authority: Authority): Route<Deps>[] => [
  route({
    ...OWN_SESSIONS,
    method: 'GET',
    path: '/v1/auth/sessions',
    operationId: 'listSessions',
    summary: 'List sessions',
    description: 'Active sessions, newest first, and the number of active API keys and webhooks.',
    response: { schema: shapes.sessionListSchema },
    handler: async ({ deps, caller }) => {
      const owner = ownerOf(caller);
      const db = deps.database.orm;
      const keyIds = await listActiveKeyIds(db, owner);
      return {
        sessions: await listSessions(deps, { owner, currentId: caller.sessionId ?? '' }),
        apiKeys: keyIds.length,
        webhooks: await countEnabledWebhooks(db, { owner, keyIds }),
      };
    },
  }),
  route({
    ...OWN_SESSIONS,
    method: 'DELETE',
    path: '/v1/auth/sessions',
    operationId: 'endAllSessions',
    summary: 'Sign out everywhere',
    description:
      'Ends every session of the wallet, including the current one. Their tokens are rejected ' +
      'at once, their streams end, and browsers are no longer notified. API keys ' +
      'and webhooks stay active unless `apiKeys` and `webhooks` end them too.',
    query: shapes.endAllSessionsQuerySchema,
    response: { schema: shapes.allSessionsEndedSchema },
    handler: ({ deps, caller, query }) =>
      signOutEverywhere(authority, deps, { owner: ownerOf(caller), query }),
  }),
  route({
    ...OWN_SESSIONS,
    method: 'DELETE',
    path: '/v1/auth/sessions/{id}',
    operationId: 'endSession',
    summary: 'End a session',
    description: 'Its token is rejected from now on. Ending a session twice has no effect.',
    params: z.strictObject({ id: shapes.sessionIdSchema }),
    response: { schema: shapes.sessionsEndedSchema },
    handler: async ({ deps, caller, params: { id } }) => ({
      ended: await endSessions(deps, { owner: ownerOf(caller), id }),
    }),
  }),
];

/** Signing in, sessions, and the public half of the keys that sign tokens. */
export function authRoutes(authority: Authority): Route<Deps>[] {
  return [
    ...sessionRoutes(authority),
    route({
      ...OPEN,
      method: 'GET',
      path: '/v1/auth/message',
      operationId: 'getSignInMessage',
      summary: 'Get a message to sign in with',
      description:
        'Returns an EIP-4361 message with a single-use nonce. Sign it unchanged with the wallet and ' +
        'exchange it at POST /v1/auth/token.',
      rateClass: 'auth',
      query: shapes.authMessageQuerySchema,
      response: { schema: shapes.authMessageSchema },
      async handler({ deps, query }) {
        const { database, chain, config } = deps;
        const signIn = { database, chain, publicBaseUrl: config.publicBaseUrl };
        const issued = await issueSignInMessage(signIn, query.address as Address);
        return { ...issued, expiresAt: issued.expiresAt.toISOString() };
      },
    }),
    route({
      ...OPEN,
      method: 'POST',
      path: '/v1/auth/token',
      operationId: 'createToken',
      summary: 'Exchange a signed message for a bearer token',
      description:
        'Accepts signatures of plain wallets, of smart wallets (ERC-1271) and of smart wallets that ' +
        'are not deployed yet (ERC-6492). A smart account of the service signs in for its owner. ' +
        'The token is a short-lived ES256 JWT.',
      rateClass: 'auth',
      body: shapes.authTokenRequestSchema,
      response: { schema: shapes.authTokenSchema },
      async handler({ deps, body, c }) {
        const address = await ownerSigningIn(deps, body);
        const issued = await issueAccessToken(authority.signingKeys, authority.realm, address);
        const { token, sessionId, expiresAt } = issued;
        const userAgent = c.req.header('user-agent') ?? '';
        await beginSession(deps, {
          id: sessionId,
          owner: address,
          userAgent,
          ip: c.env.ip,
          expiresAt,
        });
        return { token, expiresAt: expiresAt.toISOString(), address, sessionId };
      },
    }),
    route({
      ...OPEN,
      method: 'GET',
      path: '/.well-known/jwks.json',
      operationId: 'getSigningKeys',
      summary: 'Public keys that verify bearer tokens',
      rateClass: 'document',
      response: { schema: shapes.jwksSchema },
      cacheControl: 'public, max-age=300',
      handler: () => authority.signingKeys.publicJwks,
    }),
  ];
}
