import { randomBytes } from 'node:crypto';
import { and, eq, gt, or, sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/client.ts';
import { apiKeys } from '../../platform/database/schema/auth.ts';
import { ServiceError } from '../../platform/errors.ts';
import { type ApiKeyKind, apiKeyHint, apiKeyKindOf, hashApiKey } from './apiKeyFormat.ts';

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

/** A cache with expiry and a maximum size. */
function createCache<Value>() {
  const entries = new Map<string, { value: Value; until: number }>();
  return {
    get(key: string): Value | undefined {
      const entry = entries.get(key);
      return entry && entry.until > Date.now() ? entry.value : undefined;
    },
    set(key: string, value: Value): void {
      if (entries.size >= CACHE_ENTRIES) entries.clear();
      entries.set(key, { value, until: Date.now() + CACHE_MS });
    },
    clear: () => entries.clear(),
  };
}

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

function isOver({ revokedAt, expiresAt, secretUntil }: StoredKey): boolean {
  return revokedAt !== null || isPast(expiresAt) || isPast(secretUntil);
}

function isPast(end: Date | null): boolean {
  return end !== null && end.getTime() <= Date.now();
}

/** Opens the lookup of keys for one process. */
export function createApiKeys(database: Database): ApiKeys {
  const keys = createCache<StoredKey>();
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
      if (isOver(stored)) throw refused();
      return stored;
    },

    forget() {
      keys.clear();
    },
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
