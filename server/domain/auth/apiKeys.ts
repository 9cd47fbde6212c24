import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { and, eq, gt, or, sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database/client.ts';
import { apiKeys } from '../../platform/database/schema/auth.ts';
import { ServiceError } from '../../platform/errors.ts';

export const API_KEY_SCOPES = ['read', 'trade', 'withdraw'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** The properties of a request's key. */
export type AuthenticatedApiKey = {
  id: string;
  kind: ApiKeyKind;
  scopes: ApiKeyScope[];
  origins: string[];
  /** Networks that may use it; all when empty. */
  ipRanges: string[];
  /** The wallet that manages it; null for configured keys. */
  ownerAddress: string | null;
};

type StoredKey = AuthenticatedApiKey & {
  /** Set when the secret precedes a rotation: the time until it stops working. */
  secretUntil: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
};

/** How long a key that was read stays valid without another query. */
const CACHE_MS = 5_000;
const CACHE_ENTRIES = 10_000;
const LAST_USED_STEP_MS = 60_000;

export type ApiKeys = {
  /** Identifies a key. @throws {ServiceError} `api_key_invalid` */
  authenticate(key: string): Promise<AuthenticatedApiKey>;
  /** Clears the cache after a change. Other processes follow within seconds. */
  forget(): void;
};

const refused = () =>
  new ServiceError('api_key_invalid', 'The API key in x-api-key is unknown, revoked or expired.');

async function loadKey(database: Database, hash: string): Promise<StoredKey | undefined> {
  const [row] = await database.orm
    .select()
    .from(apiKeys)
    .where(
      or(
        eq(apiKeys.hash, hash),
        and(eq(apiKeys.previousHash, hash), gt(apiKeys.previousUntil, sql`now()`)),
      ),
    )
    .limit(1);
  if (!row) return undefined;
  if (Date.now() - (row.lastUsedAt?.getTime() ?? 0) > LAST_USED_STEP_MS) {
    await database.orm
      .update(apiKeys)
      .set({ lastUsedAt: sql`now()` })
      .where(eq(apiKeys.id, row.id));
  }
  const { id, kind, scopes, origins, ipRanges, ownerAddress, expiresAt, revokedAt } = row;
  const secretUntil = row.hash === hash ? null : row.previousUntil;
  return { id, kind, scopes, origins, ipRanges, ownerAddress, expiresAt, revokedAt, secretUntil };
}

function hasEnded({ revokedAt, expiresAt, secretUntil }: StoredKey): boolean {
  return revokedAt !== null || isPast(expiresAt) || isPast(secretUntil);
}

function isPast(end: Date | null): boolean {
  return end !== null && end.getTime() <= Date.now();
}

/** Opens the lookup of keys for one process. */
export function createApiKeys(database: Database): ApiKeys {
  const keys = new LRUCache<string, StoredKey>({ max: CACHE_ENTRIES, ttl: CACHE_MS });
  return {
    async authenticate(key) {
      let stored = keys.get(key);
      if (!stored) {
        // The checksum rejects typos without a query.
        if (apiKeyKindOf(key) === undefined) throw refused();
        stored = await loadKey(database, hashApiKey(key));
        if (!stored) throw refused();
        keys.set(key, stored);
      }
      if (hasEnded(stored)) throw refused();
      return stored;
    },
    forget: () => keys.clear(),
  };
}

export function newApiKeyId(): string {
  return `key_${randomBytes(9).toString('base64url')}`;
}

export type EnsureApiKeyInput = {
  key: string;
  name: string;
  scopes: ApiKeyScope[];
  /** e.g. `https://example.org`; a `pub` key is useless without one. */
  origins: string[];
};

/**
 * Registers a configured key, or updates its name, scopes and origins. The key determines its kind.
 * Returns the key's id.
 */
export async function ensureApiKey(
  deps: { database: Database },
  input: EnsureApiKeyInput,
): Promise<string> {
  const kind = apiKeyKindOf(input.key);
  if (!kind) throw new Error('this is not a well-formed API key');
  const changes = { name: input.name, scopes: input.scopes, origins: input.origins };
  const [row] = await deps.database.orm
    .insert(apiKeys)
    .values({
      id: newApiKeyId(),
      kind,
      hash: hashApiKey(input.key),
      hint: apiKeyHint(input.key),
      ...changes,
    })
    .onConflictDoUpdate({ target: apiKeys.hash, set: { ...changes, revokedAt: null } })
    .returning({ id: apiKeys.id });
  if (!row) throw new Error('the API key was not stored');
  return row.id;
}

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
