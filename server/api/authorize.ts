import {
  type TokenBearer,
  type TokenRealm,
  verifyAccessToken,
} from '../domain/auth/accessTokens.ts';
import type { ApiKeyScope, ApiKeys, AuthenticatedApiKey } from '../domain/auth/apiKeys.ts';
import type { SigningKeys } from '../domain/auth/signingKeys.ts';
import { ServiceError } from '../platform/errors.ts';
import { createIpMatcher } from '../platform/network/ipAddress.ts';
import type { ApiRequest } from './message.ts';
import type { RouteAuth } from './route.ts';

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
 * The key of the request, if the route looks at keys.
 * @param onKnown hears which key it is also when it may not do this
 * @throws {ServiceError}
 */
export async function authenticateKey(
  authority: Authority,
  auth: RouteAuth,
  request: ApiRequest,
  onKnown: (key: AuthenticatedApiKey) => void,
): Promise<AuthenticatedApiKey | undefined> {
  const given = request.header('x-api-key');
  if (auth.apiKey === 'none') {
    // It opens nothing here; it only says whether a page may read the response.
    const isOfPage = given !== undefined && request.header('origin') !== undefined;
    const key = isOfPage
      ? await authority.apiKeys.authenticate(given).catch(() => undefined)
      : undefined;
    if (key) onKnown(key);
    return undefined;
  }
  if (given === undefined || given === '') {
    if (auth.apiKey === 'optional') return undefined;
    throw new ServiceError('api_key_missing', 'Send your API key in the header x-api-key.');
  }
  const key = await authority.apiKeys.authenticate(given);
  onKnown(key);
  checkKey(authority, key, auth, request);
  return key;
}

/**
 * The same at once, for a route that requires a key, if that was looked up a moment ago; undefined
 * for whatever needs more than a look.
 * @throws {ServiceError}
 */
export function cachedKey(
  authority: Authority,
  auth: RouteAuth,
  request: ApiRequest,
): AuthenticatedApiKey | undefined {
  const given = request.header('x-api-key');
  if (given === undefined || auth.apiKey !== 'required') return undefined;
  const key = authority.apiKeys.recall(given);
  if (key) checkKey(authority, key, auth, request);
  return key;
}

function checkKey(
  authority: Authority,
  key: AuthenticatedApiKey,
  auth: RouteAuth,
  request: ApiRequest,
): void {
  if (key.ipRanges.length > 0) checkAddress(key, request.ip);
  checkOrigin(authority, key, request);
  checkScope(key, auth.scope ?? 'read');
}

function checkAddress(key: AuthenticatedApiKey, ip: string): void {
  if (createIpMatcher(key.ipRanges)(ip)) return;
  throw new ServiceError(
    'ip_not_allowed',
    `This API key cannot be used from ${ip}: it is restricted to other IP addresses.`,
  );
}

/** Whether pages of an origin may use a key: those that it names, and our own. */
export function allowsOrigin(
  { ownOrigin }: Pick<Authority, 'ownOrigin'>,
  key: AuthenticatedApiKey | undefined,
  origin: string,
): boolean {
  return origin === ownOrigin || (key?.origins.includes(origin) ?? false);
}

/** A public key is worth something only on the pages it was made for. */
function checkOrigin(authority: Authority, key: AuthenticatedApiKey, request: ApiRequest): void {
  const origin = request.header('origin');
  if (origin !== undefined) {
    if (allowsOrigin(authority, key, origin)) return;
    throw new ServiceError(
      'origin_not_allowed',
      'This API key does not allow this origin. Nothing was created; its owner can add ' +
        'the origin with PATCH /v1/keys/{id}.',
    );
  }
  // Browsers leave Origin out of reads by a page of the same origin, and say so here instead.
  if (key.kind === 'pub' && request.header('sec-fetch-site') !== 'same-origin') {
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

/** Whom the bearer token speaks for, if the route looks at tokens. @throws {ServiceError} */
export async function authenticateOwner(
  authority: Authority,
  auth: RouteAuth,
  request: ApiRequest,
): Promise<TokenBearer | undefined> {
  const given = request.header('authorization');
  if (auth.token === 'none') return undefined;
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
