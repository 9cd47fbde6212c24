import { createECDH } from 'node:crypto';
import { encrypt } from 'http_ece';

/** What a browser gives with its subscription, in base64url: its public key and a shared secret. */
export type BrowserKeys = { p256dh: string; auth: string };

/** What every push service takes: 4096 bytes, less what encryption adds. */
export const MAX_MESSAGE_BYTES = 3_072;

/**
 * A message that only that browser can read (RFC 8291, `aes128gcm`), under a key pair of its own.
 * @throws {RangeError} when it is longer than {@link MAX_MESSAGE_BYTES}
 */
export function encryptMessage(text: string, keys: BrowserKeys): Buffer {
  const plain = Buffer.from(text, 'utf8');
  if (plain.length > MAX_MESSAGE_BYTES) throw new RangeError('the message is too long to push');
  const once = createECDH('prime256v1');
  once.generateKeys();
  return encrypt(plain, {
    version: 'aes128gcm',
    dh: Buffer.from(keys.p256dh, 'base64url'),
    privateKey: once,
    authSecret: Buffer.from(keys.auth, 'base64url'),
  });
}
