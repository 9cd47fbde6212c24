import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { type Hex, hexToBytes, keccak256, recoverAddress, size, slice } from 'viem';
import { type GrantKey, KEY_KIND, NO_SESSION_KEY, secp256k1Key } from '#lib/account/sessionKey.ts';
import { ServiceError } from '#server/platform/errors.ts';

/** Half the order of each curve: a signature with a greater s has a twin, which the account refuses. */
const HALF_ORDER = {
  p256: 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n,
  secp256k1: 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n,
} as const;

/**
 * The key that a request names: an address, the coordinates of a P-256 key, or `none`.
 * @throws {ServiceError} invalid_request for the zero address and coordinates off the curve
 */
export function readSessionKey(text: string): GrantKey {
  if (text === 'none') return NO_SESSION_KEY;
  const named = text as Hex;
  if (size(named) === 20 && BigInt(named) !== 0n) return secp256k1Key(named);
  if (size(named) === 64 && p256KeyOf(named))
    return { keyKind: KEY_KIND.p256, key: keccak256(named) };
  throw new ServiceError('invalid_request', 'One field must be changed.', {
    errors: [{ pointer: '/query/sessionKey', detail: 'is no key' }],
  });
}

/** The key whose signature of this digest the account would take; undefined for any other bytes. */
export async function signerOf(digest: Hex, signature: Hex): Promise<GrantKey | undefined> {
  if (size(signature) === 128) return p256SignerOf(digest, signature);
  if (size(signature) !== 65) return undefined;
  if (BigInt(slice(signature, 32, 64)) > HALF_ORDER.secp256k1) return undefined;
  const v = Number(slice(signature, 64));
  if (v !== 27 && v !== 28) return undefined;
  const signer = await recoverAddress({ hash: digest, signature }).catch(() => undefined);
  return signer && secp256k1Key(signer);
}

export function isSameKey(one: GrantKey, other: GrantKey): boolean {
  return one.keyKind === other.keyKind && one.key.toLowerCase() === other.key.toLowerCase();
}

/** Of r, s, x and y; as browsers sign, over the SHA-256 hash of the digest. */
function p256SignerOf(digest: Hex, signature: Hex): GrantKey | undefined {
  if (BigInt(slice(signature, 32, 64)) > HALF_ORDER.p256) return undefined;
  const coordinates = slice(signature, 64);
  const publicKey = p256KeyOf(coordinates);
  if (!publicKey) return undefined;
  const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  const isRight = verify('sha256', hexToBytes(digest), signed, hexToBytes(slice(signature, 0, 64)));
  return isRight ? { keyKind: KEY_KIND.p256, key: keccak256(coordinates) } : undefined;
}

/** Undefined for coordinates that are no point of the curve. */
function p256KeyOf(coordinates: Hex): KeyObject | undefined {
  const base64url = (hex: Hex) => Buffer.from(hexToBytes(hex)).toString('base64url');
  const [x, y] = [base64url(slice(coordinates, 0, 32)), base64url(slice(coordinates, 32))];
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    return undefined;
  }
}
