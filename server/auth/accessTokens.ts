import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { type Address, getAddress, isAddress } from 'viem';
import { ServiceError } from '../errors.ts';
import type { SigningKeys } from './signingKeys.ts';

export const TOKEN_LIFETIME_SECONDS = 30 * 60;

/** Who issues the tokens and whom they are for. */
export type TokenRealm = { issuer: string; audience: string };

export function tokenRealm(publicBaseUrl: string): TokenRealm {
  return { issuer: publicBaseUrl, audience: `${publicBaseUrl}/v1` };
}

/** A bearer token for the owner of a wallet: ES256, valid for {@link TOKEN_LIFETIME_SECONDS}. */
export async function issueAccessToken(
  keys: SigningKeys,
  realm: TokenRealm,
  owner: Address,
  now: Date = new Date(),
): Promise<{ token: string; expiresAt: Date }> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const expiresAt = issuedAt + TOKEN_LIFETIME_SECONDS;
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keys.signing.kid, typ: 'JWT' })
    .setIssuer(realm.issuer)
    .setAudience(realm.audience)
    .setSubject(getAddress(owner))
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(keys.signing.key);
  return { token, expiresAt: new Date(expiresAt * 1000) };
}

/** The wallet a token speaks for. @throws {ServiceError} `token_invalid` */
export async function verifyAccessToken(
  keys: SigningKeys,
  realm: TokenRealm,
  token: string,
): Promise<Address> {
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
        requiredClaims: ['sub', 'exp', 'iat'],
        maxTokenAge: TOKEN_LIFETIME_SECONDS,
      },
    );
    const subject = payload.sub ?? '';
    if (!isAddress(subject)) throw new errors.JWTClaimValidationFailed('sub', payload, 'sub');
    return getAddress(subject);
  } catch (cause) {
    const expired = cause instanceof errors.JWTExpired;
    throw new ServiceError(
      'token_invalid',
      expired
        ? 'The bearer token has expired; sign in again.'
        : 'The bearer token is not one of ours, or was changed.',
      { cause },
    );
  }
}
