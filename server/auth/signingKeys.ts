import { type CryptoKey, exportJWK, importJWK, type JWK } from 'jose';
import { z } from 'zod';

/** ES256 keys: the first signs; all of them verify, so that a key can be changed without a break. */
export type SigningKeys = {
  signing: { kid: string; key: CryptoKey };
  verifying: Map<string, CryptoKey>;
  publicJwks: { keys: PublicJwk[] };
};

export type PublicJwk = {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  kid: string;
  alg: 'ES256';
  use: 'sig';
};

const privateJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string().min(1),
  y: z.string().min(1),
  d: z.string().min(1),
  kid: z.string().min(1),
});

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256');
  if (key instanceof Uint8Array) throw new Error('a signing key must be an EC key');
  return key;
}

/** @param json JSON array of private ES256 JWKs, each with a `kid`. */
export async function readSigningKeys(json: string): Promise<SigningKeys> {
  const jwks = z.array(privateJwkSchema).min(1).parse(JSON.parse(json));
  const publicKeys = jwks.map(
    ({ kty, crv, x, y, kid }): PublicJwk => ({ kty, crv, x, y, kid, alg: 'ES256', use: 'sig' }),
  );
  const [first] = jwks;
  if (!first) throw new Error('there is no signing key');
  const verifying = new Map<string, CryptoKey>();
  for (const jwk of publicKeys) verifying.set(jwk.kid, await importKey(jwk));
  return {
    signing: { kid: first.kid, key: await importKey(first) },
    verifying,
    publicJwks: { keys: publicKeys },
  };
}

/** One new private key, as the configuration takes it. */
export async function generateSigningKeyJson(): Promise<string> {
  return JSON.stringify([await generateSigningKey()]);
}

/**
 * The configuration for changing the key: a new one that signs, and the one that signed until now,
 * which still verifies. It can be left out once the last token it signed has expired.
 */
export async function rotateSigningKeys(json: string): Promise<string> {
  const [current] = z.array(privateJwkSchema).min(1).parse(JSON.parse(json));
  return JSON.stringify([await generateSigningKey(), current]);
}

async function generateSigningKey(): Promise<JWK> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const { kty, crv, x, y, d } = await exportJWK(pair.privateKey);
  return { kty, crv, x, y, d, kid: crypto.randomUUID() };
}
