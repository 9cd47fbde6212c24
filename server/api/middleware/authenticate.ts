import type { Admin, AdminRole } from '../../domain/admin/admins.ts';
import {
  type TokenBearer,
  type TokenRealm,
  verifyAccessToken,
} from '../../domain/auth/accessTokens.ts';
import type { ApiKeyScope, ApiKeys, AuthenticatedApiKey } from '../../domain/auth/apiKeys.ts';
import type { SigningKeys } from '../../domain/auth/signingKeys.ts';
import { ServiceError } from '../../platform/errors.ts';
import { createIpMatcher } from '../../platform/network/ipAddress.ts';
import { allowOriginOf, allowsOrigin } from './cors.ts';
import type { ApiContext, Caller, Middleware } from './env.ts';

export type CredentialNeed = 'required' | 'optional' | 'none';

export type RouteAuth = {
  /** The header `x-api-key`. */
  apiKey: CredentialNeed;
  /** The header `Authorization: Bearer`. */
  token: CredentialNeed;
  /** What the key must be allowed to do. */
  scope?: ApiKeyScope;
  /** For admins, by a token of their own; what the admin must be allowed. */
  admin?: AdminRole;
};

export type Authority = {
  apiKeys: ApiKeys;
  signingKeys: SigningKeys;
  realm: TokenRealm;
  /** Of our own pages, where every key may be used. */
  ownOrigin: string;
  /** Refuses tokens of sessions that have ended. @throws {ServiceError} `token_invalid` */
  checkSession: (sessionId: string) => Promise<void>;
};

/**
 * Identifies the API key and checks that this request may use it.
 * @param spend counts the request; without the key if it was refused, so that guesses count against
 *   their address
 */
export function identifyKey(
  authority: Authority,
  auth: RouteAuth,
  spend: (c: ApiContext, key: AuthenticatedApiKey | undefined) => void,
): Middleware {
  return async (c, next) => {
    let apiKey: AuthenticatedApiKey | undefined;
    try {
      apiKey = await keyOf(authority, auth, c);
    } finally {
      spend(c, apiKey);
    }
    c.set('caller', { apiKey, owner: undefined, sessionId: undefined });
    await next();
  };
}

async function keyOf(
  authority: Authority,
  auth: RouteAuth,
  c: ApiContext,
): Promise<AuthenticatedApiKey | undefined> {
  const given = c.req.header('x-api-key');
  if (auth.apiKey === 'none') {
    // The key is not needed here; it only decides whether a page may read the response.
    if (given !== undefined && c.req.header('origin') !== undefined) {
      await authority.apiKeys.authenticate(given).then(
        (key) => noteKey(c, key),
        () => undefined,
      );
    }
    return undefined;
  }
  if (given === undefined || given === '') {
    if (auth.apiKey === 'optional') return undefined;
    throw new ServiceError('api_key_missing', 'Send your API key in the header x-api-key.');
  }
  const key = await authority.apiKeys.authenticate(given);
  noteKey(c, key);
  if (key.ipRanges.length > 0) checkAddress(key, c.env.ip);
  checkOrigin(authority, key, c);
  checkScope(key, auth.scope ?? 'read');
  return key;
}

/** Also for refused requests: for the log, and so that the page can read the refusal. */
function noteKey(c: ApiContext, key: AuthenticatedApiKey): void {
  c.set('knownKey', key);
  allowOriginOf(c, key);
}

function checkAddress(key: AuthenticatedApiKey, ip: string): void {
  if (createIpMatcher(key.ipRanges)(ip)) return;
  throw new ServiceError(
    'ip_not_allowed',
    `This API key cannot be used from ${ip}: it is restricted to other IP addresses.`,
  );
}

/** A publishable key works only on the pages it was made for. */
function checkOrigin({ ownOrigin }: Authority, key: AuthenticatedApiKey, c: ApiContext): void {
  const origin = c.req.header('origin');
  if (origin !== undefined) {
    if (allowsOrigin(ownOrigin, key, origin)) return;
    throw new ServiceError(
      'origin_not_allowed',
      'This API key does not allow this origin. Nothing was created; its owner can add ' +
        'the origin with PATCH /v1/keys/{id}.',
    );
  }
  // For reads of the same origin, browsers send this header instead of Origin.
  if (key.kind === 'pub' && c.req.header('sec-fetch-site') !== 'same-origin') {
    throw new ServiceError(
      'forbidden',
      'This is a publishable key. Use a secret key from programs.',
    );
  }
}

function checkScope(key: AuthenticatedApiKey, scope: ApiKeyScope): void {
  if (key.scopes.includes(scope)) return;
  throw new ServiceError('forbidden', `This API key lacks the scope "${scope}".`);
}

const BEARER = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i;

/** Identifies the owner by the bearer token. */
export function identifyOwner(authority: Authority, auth: RouteAuth): Middleware {
  return async (c, next) => {
    const bearer = await bearerOf(authority, auth, c);
    if (bearer) {
      const { owner, sessionId } = bearer;
      c.set('caller', { ...c.get('caller'), owner, sessionId });
    }
    await next();
  };
}

async function bearerOf(
  authority: Authority,
  auth: RouteAuth,
  c: ApiContext,
): Promise<TokenBearer | undefined> {
  const given = c.req.header('authorization');
  if (given === undefined || given === '') {
    if (auth.token === 'optional') return undefined;
    throw new ServiceError(
      'token_missing',
      'Sign in first (GET /v1/auth/message, POST /v1/auth/token) and send Authorization: Bearer.',
    );
  }
  const token = BEARER.exec(given)?.[1];
  if (token === undefined) {
    throw new ServiceError('token_invalid', 'The header must be Authorization: Bearer <token>.');
  }
  const bearer = await verifyAccessToken(authority.signingKeys, authority.realm, token);
  await authority.checkSession(bearer.sessionId);
  return bearer;
}

export type FindAdmin = (token: string) => Promise<Admin>;

const ADMIN_BEARER = /^Bearer (\S{1,200})$/i;

/** Requires an admin's own token, with the role that the route needs. */
export function requireAdmin(findAdmin: FindAdmin, role: AdminRole): Middleware {
  return async (c, next) => {
    const token = ADMIN_BEARER.exec(c.req.header('authorization') ?? '')?.[1];
    if (token === undefined) {
      throw new ServiceError(
        'operator_token_invalid',
        'Send an admin token in the header Authorization: Bearer.',
      );
    }
    const admin = await findAdmin(token);
    if (role === 'act' && admin.role !== 'act') {
      throw new ServiceError('forbidden', 'This admin has read-only access.');
    }
    c.set('caller', { ...c.get('caller'), admin });
    await next();
  };
}

/** The admin, on routes for admins. */
export function adminOf({ admin }: Caller): Admin {
  if (!admin) throw new ServiceError('operator_token_invalid', 'For admins only.');
  return admin;
}
