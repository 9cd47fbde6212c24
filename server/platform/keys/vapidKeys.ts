import { createECDH, ECDH } from 'node:crypto';

/**
 * The key pair that identifies the sender to push services (RFC 8292), in the usual form: the 32
 * bytes of the private key and the 65 of the public one in base64url.
 */
export type VapidPair = { publicKey: string; privateKey: string };

const CURVE = 'prime256v1';
const PRIVATE_BYTES = 32;
const PUBLIC_BYTES = 65;

export function makeVapidPair(): VapidPair {
  const pair = createECDH(CURVE);
  const publicKey = pair.generateKeys('base64url');
  // It omits leading zeros.
  const privateKey = pair
    .getPrivateKey()
    .toString('hex')
    .padStart(2 * PRIVATE_BYTES, '0');
  return { publicKey, privateKey: Buffer.from(privateKey, 'hex').toString('base64url') };
}

/** The public half of a private key; undefined for an invalid one. */
export function vapidPublicKeyOf(privateKey: string): string | undefined {
  const bytes = Buffer.from(privateKey, 'base64url');
  if (bytes.length !== PRIVATE_BYTES) return undefined;
  try {
    const pair = createECDH(CURVE);
    pair.setPrivateKey(bytes);
    return pair.getPublicKey('base64url');
  } catch {
    return undefined; // Zero, or beyond the curve's order.
  }
}

/** Whether it is a point of the curve, like the public keys of senders and browsers. */
export function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== PUBLIC_BYTES) return false;
  try {
    ECDH.convertKey(bytes, CURVE);
    return true;
  } catch {
    return false;
  }
}
