import { bytesToHex, concat, hexToBytes, numberToHex, slice } from 'viem';
import type { OrderSigner } from './signOrder.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const CURVE_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** A session key of WebCrypto. No script can read it: it signs where it is, and can be stored there. */
export async function generateP256(): Promise<CryptoKeyPair> {
  return await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
}

/** Signs as the account checks: r, s, x and y, with the lower s. WebCrypto hashes the digest. */
export async function p256Signer({ privateKey, publicKey }: CryptoKeyPair): Promise<OrderSigner> {
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
  const sessionKey = bytesToHex(point.subarray(1));
  return {
    sessionKey,
    signDigest: async (digest) => {
      const bytes = new Uint8Array(hexToBytes(digest));
      const signed = await crypto.subtle.sign(ALGORITHM, privateKey, bytes);
      const signature = bytesToHex(new Uint8Array(signed));
      const s = BigInt(slice(signature, 32));
      const lower = s > CURVE_ORDER / 2n ? CURVE_ORDER - s : s;
      return concat([slice(signature, 0, 32), numberToHex(lower, { size: 32 }), sessionKey]);
    },
  };
}
