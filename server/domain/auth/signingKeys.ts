import { type CryptoKey, calculateJwkThumbprint, exportJWK, importJWK, type JWK } from 'jose';
import { z } from 'zod';
import { readEcdsaSignature, toPlainBytes } from '../../platform/keys/ecdsaSignature.ts';
import { type KeyService, KeyServiceError, serviceKeyId } from '../../platform/keys/keyService.ts';

/**
 * ES256 keys: the first signs; all of them verify, so that a key can be changed without a break.
 */
export type SigningKeys = {
  signing: { kid: string; sign: SignBytes };
  verifying: Map<string, CryptoKey>;
  publicJwks: { keys: PublicJwk[] };
};

/** ECDSA over SHA-256 of the bytes: r ‖ s. */
export type SignBytes = (bytes: Uint8Array) => Promise<Uint8Array>;

export type PublicJwk = {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  kid: string;
  alg: 'ES256';
  use: 'sig';
};

const publicJwkSchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string().min(1),
  y: z.string().min(1),
});

const privateJwkSchema = publicJwkSchema.extend({
  d: z.string().min(1),
  kid: z.string().min(1),
});

const serviceKeySchema = z.string().refine((text) => serviceKeyId(text) !== undefined);
const signingKeysSchema = z.array(z.union([privateJwkSchema, serviceKeySchema])).min(1);

type ConfiguredKey = z.infer<typeof signingKeysSchema>[number];
type OpenKey = { jwk: PublicJwk; sign: SignBytes };

/**
 * @param json JSON array of private ES256 JWKs, each with a `kid`, or `kms:<key id>`
 * @throws {KeyServiceError} when a key at the key service cannot be found
 */
export async function readSigningKeys(json: string, service?: KeyService): Promise<SigningKeys> {
  const configured = signingKeysSchema.parse(JSON.parse(json));
  const keys = await Promise.all(configured.map((key) => openKey(key, service)));
  const [first] = keys;
  if (!first) throw new Error('the signing key is missing');
  const verifying = new Map<string, CryptoKey>();
  for (const { jwk } of keys) verifying.set(jwk.kid, await importKey(jwk));
  return {
    signing: { kid: first.jwk.kid, sign: first.sign },
    verifying,
    publicJwks: { keys: keys.map(({ jwk }) => jwk) },
  };
}

async function openKey(key: ConfiguredKey, service: KeyService | undefined): Promise<OpenKey> {
  if (typeof key === 'string') return await openServiceKey(serviceKeyId(key) ?? '', service);
  const { kty, crv, x, y, kid } = key;
  const secret = await importKey(key);
  return {
    jwk: { kty, crv, x, y, kid, alg: 'ES256', use: 'sig' },
    async sign(bytes) {
      const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
      return new Uint8Array(await crypto.subtle.sign(algorithm, secret, Uint8Array.from(bytes)));
    },
  };
}

/** Its `kid` is the thumbprint of RFC 7638, the same in every process. */
async function openServiceKey(keyId: string, service: KeyService | undefined): Promise<OpenKey> {
  if (!service) throw new KeyServiceError('refused', 'KEY_SERVICE_URL is not set');
  const exported = (await service.getPublicKey(keyId)).export({ format: 'jwk' });
  const parsed = publicJwkSchema.safeParse(exported);
  if (!parsed.success) {
    throw new KeyServiceError('refused', `${keyId} is not a P-256 key (ECC_NIST_P256)`);
  }
  const kid = await calculateJwkThumbprint(parsed.data);
  return {
    jwk: { ...parsed.data, kid, alg: 'ES256', use: 'sig' },
    async sign(message) {
      const signature = await service.sign(keyId, 'ECDSA_SHA_256', { message });
      return toPlainBytes(readEcdsaSignature(signature));
    },
  };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256');
  if (key instanceof Uint8Array) throw new Error('a signing key must be an EC key');
  return key;
}

/** A new private key in the format of the configuration. */
export async function generateSigningKeyJson(): Promise<string> {
  return JSON.stringify([await generateSigningKey()]);
}

/**
 * The configuration for replacing the key at once: a new key that signs, and the old one, which
 * still verifies. The old one can be removed once its last token has expired.
 */
export async function rotateSigningKeys(json: string): Promise<string> {
  return JSON.stringify([await generateSigningKey(), currentOf(json)[0]]);
}

/**
 * The first step of replacing the key with several processes: a new key that only verifies, so that
 * every process knows it before one signs with it.
 */
export async function announceSigningKey(json: string): Promise<string> {
  return JSON.stringify([currentOf(json)[0], await generateSigningKey()]);
}

/** The second step: the announced key signs. @throws {RangeError} when none was announced */
export function switchSigningKeys(json: string): string {
  const [former, announced] = currentOf(json);
  if (announced === undefined) throw new RangeError('no second key was announced');
  return JSON.stringify([announced, former]);
}

/** The last step: keeps only the key that signs. */
export function retireSigningKeys(json: string): string {
  return JSON.stringify(currentOf(json).slice(0, 1));
}

function currentOf(json: string): ConfiguredKey[] {
  return signingKeysSchema.parse(JSON.parse(json));
}

async function generateSigningKey(): Promise<JWK> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]);
  const { kty, crv, x, y, d } = await exportJWK(pair.privateKey);
  return { kty, crv, x, y, d, kid: crypto.randomUUID() };
}
