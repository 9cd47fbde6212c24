import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as shapes from '#lib/api/schemas/auth.ts';
import type { AccountDeps } from '../../domain/accounts/accounts.ts';
import { ownerSigningIn } from '../../domain/accounts/signedInOwner.ts';
import { issueSessionToken } from '../../domain/auth/accessTokens.ts';
import {
  type BrowserSession,
  beginBrowserSession,
  endBrowserSession,
  renewBrowserSession,
} from '../../domain/auth/browserSessions.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { Authority } from '../middleware/authenticate.ts';
import type { ApiContext } from '../middleware/env.ts';
import { type Route, route } from './route.ts';

type Deps = AccountDeps & { config: { publicBaseUrl: string }; log: Log };

const PATH = '/v1/auth/session';
const COOKIE = 'crossbook-refresh';

const COMMON = {
  tags: ['Authentication'],
  auth: { apiKey: 'none', token: 'none' },
} as const;

/**
 * The browser sends the cookie to these paths only, over TLS only, and never for another site.
 * Pages cannot read it. The sandbox has no TLS.
 */
function cookieOptions(ownOrigin: string) {
  const isSecure = ownOrigin.startsWith('https:');
  return {
    path: PATH,
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure,
    ...(isSecure && { prefix: 'secure' as const }),
  } as const;
}

const refreshTokenOf = (c: ApiContext, ownOrigin: string) =>
  cookieOptions(ownOrigin).secure ? getCookie(c, COOKIE, 'secure') : getCookie(c, COOKIE);

/** A cookie is sent without the page's doing, so the page that asks must be ours. */
function requireOwnPage({ ownOrigin }: Authority, c: ApiContext): void {
  const site = c.req.header('sec-fetch-site') ?? 'same-origin';
  if (c.req.header('origin') === ownOrigin && site === 'same-origin') return;
  throw new ServiceError('forbidden', 'Only the pages of Crossbook may use this path.');
}

async function respond(
  authority: Authority,
  c: ApiContext,
  session: BrowserSession,
): Promise<shapes.BrowserSession> {
  const { sessionId, owner, refreshToken, renewableUntil } = session;
  const now = new Date();
  const { signingKeys, realm, ownOrigin } = authority;
  const { token, expiresAt } = await issueSessionToken(signingKeys, realm, session, now);
  const maxAge = Math.max(0, Math.floor((renewableUntil.getTime() - now.getTime()) / 1000));
  setCookie(c, COOKIE, refreshToken, { ...cookieOptions(ownOrigin), maxAge });
  return {
    token,
    expiresAt: expiresAt.toISOString(),
    expiresIn: Math.max(1, Math.floor((expiresAt.getTime() - now.getTime()) / 1000)),
    address: owner,
    sessionId,
    renewableUntil: renewableUntil.toISOString(),
  };
}

/** Sessions of our own pages. Programs use POST /v1/auth/token. */
export function browserSessionRoutes(authority: Authority): Route<Deps>[] {
  const { ownOrigin } = authority;
  return [
    route({
      ...COMMON,
      method: 'POST',
      path: PATH,
      operationId: 'beginBrowserSession',
      summary: 'Sign in a browser',
      description:
        'For the pages of Crossbook; programs use POST /v1/auth/token. Exchanges a signed message ' +
        'for a token of ten minutes and a refresh token in an HttpOnly cookie. Ends the session ' +
        'that this browser had before.',
      rateClass: 'auth',
      body: shapes.authTokenRequestSchema,
      response: { schema: shapes.browserSessionSchema },
      async handler({ deps, body, c }) {
        requireOwnPage(authority, c);
        const owner = await ownerSigningIn(deps, body);
        const before = refreshTokenOf(c, ownOrigin);
        if (before !== undefined) await endBrowserSession(deps, before);
        const userAgent = c.req.header('user-agent') ?? '';
        const session = await beginBrowserSession(deps, { owner, userAgent, ip: c.env.ip });
        return respond(authority, c, session);
      },
    }),
    route({
      ...COMMON,
      method: 'POST',
      path: `${PATH}/refresh`,
      operationId: 'renewBrowserSession',
      summary: 'Renew the session of a browser',
      description:
        'For the pages of Crossbook. Exchanges the refresh token in the cookie for a new one and ' +
        'returns a new bearer token. A refresh token that was exchanged before ends the session, ' +
        'except within 30 seconds, when it gives the same successor again.',
      rateClass: 'refresh',
      response: { schema: shapes.browserSessionSchema },
      async handler({ deps, c }) {
        requireOwnPage(authority, c);
        try {
          const given = refreshTokenOf(c, ownOrigin) ?? '';
          return await respond(authority, c, await renewBrowserSession(deps, given));
        } catch (error) {
          const isOver = error instanceof ServiceError && error.code === 'token_invalid';
          if (isOver) deleteCookie(c, COOKIE, cookieOptions(ownOrigin));
          throw error;
        }
      },
    }),
    route({
      ...COMMON,
      method: 'DELETE',
      path: PATH,
      operationId: 'endBrowserSession',
      summary: 'Sign out a browser',
      description:
        'For the pages of Crossbook. Ends the session of the cookie, also after its bearer token ' +
        'has expired, and deletes the cookie.',
      rateClass: 'refresh',
      response: { schema: shapes.sessionsEndedSchema },
      async handler({ deps, c }) {
        requireOwnPage(authority, c);
        const given = refreshTokenOf(c, ownOrigin);
        deleteCookie(c, COOKIE, cookieOptions(ownOrigin));
        return { ended: given === undefined ? 0 : await endBrowserSession(deps, given) };
      },
    }),
  ];
}
