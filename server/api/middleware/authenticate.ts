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
  /** Of our own pages, in which every key may be used. */
  ownOrigin: string;
  /** Refuses tokens of sessions that have ended. @throws {ServiceError} `token_invalid` */
  checkSession: (sessionId: string) => Promise<void>;
};

/**
 * Finds out which key a request came with, and whether it may be used so.
 * @param spend counts the request; without a key for one that was refused, so that guesses of keys
 *   count against the address they come from
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
    // It opens nothing here; it only says whether a page may read the response.
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

/** Known also when it may not do this: for the log, and for the page that reads the refusal. */
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

/** A public key is worth something only on the pages it was made for. */
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
  // Browsers leave Origin out of reads by a page of the same origin, and say so here instead.
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

/** Finds out whom the bearer token speaks for. */
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

/** Lets in admins, by tokens of their own, who may do what the route asks for. */
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
