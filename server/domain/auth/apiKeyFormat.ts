import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The format of an API key: `cbk_<kind>_` + 32 random bytes in base62 (43 characters) + the CRC-32
 * of all that in base62 (6 characters). The checksum distinguishes a typo from a revoked key, and
 * lets secret scanners recognise a leaked key, without a database query.
 */

export const API_KEY_KINDS = ['test', 'live', 'pub'] as const;

/**
 * `test` and `live` are secrets of a server; `pub` is public and restricted to origins of pages.
 */
export type ApiKeyKind = (typeof API_KEY_KINDS)[number];

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const KEY = new RegExp(
  `^cbk_(${API_KEY_KINDS.join('|')})_[0-9A-Za-z]{${SECRET_LENGTH}}[0-9A-Za-z]{${CHECKSUM_LENGTH}}$`,
);

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  while (rest > 0n) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text.padStart(length, '0');
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

/** A new random key. It is a secret (unless `pub`) and cannot be recovered from its hash. */
export function generateApiKey(kind: ApiKeyKind): string {
  const secret = base62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_LENGTH);
  const body = `cbk_${kind}_${secret}`;
  return body + checksum(body);
}

/** The kind of a well-formed key, `undefined` for anything else (also for a wrong checksum). */
export function apiKeyKindOf(text: string): ApiKeyKind | undefined {
  const match = KEY.exec(text);
  if (!match || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) {
    return undefined;
  }
  return match[1] as ApiKeyKind;
}

/** The stored form of a key. The key is random, so a fast hash is as good as a slow one. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The part that is shown later, so that its owner recognises it. */
export function apiKeyHint(key: string): string {
  return `${key.slice(0, 12)}…${key.slice(-4)}`;
}
