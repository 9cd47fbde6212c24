import { randomUUID } from 'node:crypto';
import { base64url, errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Address, getAddress, isAddress } from 'viem';
import { ServiceError } from '../../platform/errors.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';
import type { SigningKeys } from './signingKeys.ts';

export const TOKEN_LIFETIME_SECONDS = 30 * 60;
/** A browser renews its token, so a copied one soon becomes useless. */
export const SESSION_TOKEN_LIFETIME_SECONDS = 10 * 60;

/** The issuer and the audience of tokens. */
export type TokenRealm = { issuer: string; audience: string };

export function tokenRealm(publicBaseUrl: string): TokenRealm {
  return { issuer: publicBaseUrl, audience: `${publicBaseUrl}/v1` };
}

/** The wallet that a token represents, and its session. */
export type TokenBearer = { owner: Address; sessionId: string };

/** A bearer token for the owner of a wallet: ES256, valid for {@link TOKEN_LIFETIME_SECONDS}. */
export async function issueAccessToken(
  keys: SigningKeys,
  realm: TokenRealm,
  owner: Address,
  now: Date = new Date(),
): Promise<{ token: string; sessionId: string; expiresAt: Date }> {
  const sessionId = randomUUID();
  const claims = { sub: getAddress(owner), jti: sessionId };
  const issued = await issue(keys, realm, claims, TOKEN_LIFETIME_SECONDS, now);
  return { ...issued, sessionId };
}

/** A bearer token for a browser's session, which issues many; `sid` names the session. */
export async function issueSessionToken(
  keys: SigningKeys,
  realm: TokenRealm,
  { owner, sessionId }: TokenBearer,
  now: Date = new Date(),
): Promise<{ token: string; expiresAt: Date }> {
  const claims = { sub: getAddress(owner), jti: randomUUID(), sid: sessionId };
  return await issue(keys, realm, claims, SESSION_TOKEN_LIFETIME_SECONDS, now);
}

async function issue(
  keys: SigningKeys,
  realm: TokenRealm,
  claims: JWTPayload,
  lifetimeSeconds: number,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const iat = Math.floor(now.getTime() / 1000);
  const exp = iat + lifetimeSeconds;
  const { issuer: iss, audience: aud } = realm;
  const token = await signCompact(keys, { iss, aud, ...claims, iat, exp });
  return { token, expiresAt: new Date(exp * 1000) };
}

/** RFC 7515, 7.1. Own code instead of a library, because a key service may hold the key. */
async function signCompact({ signing }: SigningKeys, claims: JWTPayload): Promise<string> {
  const header = { alg: 'ES256', kid: signing.kid, typ: 'JWT' };
  const signed = [header, claims].map((part) => base64url.encode(JSON.stringify(part))).join('.');
  const signature = await signing.sign(new TextEncoder().encode(signed));
  return `${signed}.${base64url.encode(signature)}`;
}

/**
 * The wallet that a token represents; does not check whether its session has ended. @throws
 * {ServiceError} `token_invalid`
 */
export async function verifyAccessToken(
  keys: SigningKeys,
  realm: TokenRealm,
  token: string,
): Promise<TokenBearer> {
  const verified = verifiedBy(keys);
  const key = `${realm.issuer} ${realm.audience} ${token}`;
  const known = verified.get(key);
  if (known && Date.now() < known.until) return known.bearer;
  const { payload, bearer } = await verifyAnew(keys, realm, token);
  verified.set(key, { bearer, until: (payload.exp ?? 0) * 1000 });
  return bearer;
}

/** Verified tokens are cached while they are valid and the keys stay the same. */
const MOST_REMEMBERED = 10_000;
const verifiedBy = memoizeByObject(
  (_keys: SigningKeys) =>
    new LRUCache<string, { bearer: TokenBearer; until: number }>({ max: MOST_REMEMBERED }),
);

async function verifyAnew(
  keys: SigningKeys,
  realm: TokenRealm,
  token: string,
): Promise<{ payload: JWTPayload; bearer: TokenBearer }> {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = keys.verifying.get(kid ?? '');
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        algorithms: ['ES256'],
        issuer: realm.issuer,
        audience: realm.audience,
        requiredClaims: ['sub', 'exp', 'iat', 'jti'],
        maxTokenAge: TOKEN_LIFETIME_SECONDS,
      },
    );
    const subject = payload.sub ?? '';
    if (!isAddress(subject)) throw new errors.JWTClaimValidationFailed('sub', payload, 'sub');
    const { sid, jti = '' } = payload;
    const bearer = { owner: getAddress(subject), sessionId: typeof sid === 'string' ? sid : jti };
    return { payload, bearer };
  } catch (cause) {
    const expired = cause instanceof errors.JWTExpired;
    throw new ServiceError(
      'token_invalid',
      expired ? 'The bearer token has expired. Sign in again.' : 'The bearer token is not valid.',
      { cause },
    );
  }
}
