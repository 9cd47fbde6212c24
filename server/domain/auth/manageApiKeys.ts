import { and, eq, gt, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Address } from 'viem';
import type {
  ApiKey,
  ApiKeyCreated,
  ApiKeyList,
  ApiKeyListQuery,
  CreateApiKeyRequest,
  UpdateApiKeyRequest,
} from '#lib/api/schemas/key.ts';
import type { Database, Queryable } from '../../platform/database/client.ts';
import { newestFirst, olderThan, pageOf } from '../../platform/database/keysetPages.ts';
import { apiKeys } from '../../platform/database/schema/auth.ts';
import { ServiceError } from '../../platform/errors.ts';
import { apiKeyHint, generateApiKey, hashApiKey, newApiKeyId } from './apiKeys.ts';

/** Keys of wallets, managed by their signed-in owner. Keys of others count as missing. */

type KeyDeps = { database: Database };
type KeyRow = typeof apiKeys.$inferSelect;
type Own = { owner: Address; id: string };

/** The maximum of active keys per wallet. */
export const MAX_KEYS_PER_OWNER = 50;

/** Newest first, revoked ones included. */
export async function listApiKeys(
  deps: KeyDeps,
  input: { owner: Address } & ApiKeyListQuery,
): Promise<ApiKeyList> {
  const rows = await deps.database.orm
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.ownerAddress, input.owner), olderThan(apiKeys, input.cursor)))
    .orderBy(...newestFirst(apiKeys))
    .limit(input.limit + 1);
  const { page, cursor } = pageOf(rows, input.limit);
  return { keys: page.map(describeKey), cursor };
}

/** @throws {ServiceError} key_not_found */
export async function getApiKey(deps: KeyDeps, input: Own): Promise<ApiKey> {
  const [row] = await deps.database.orm.select().from(apiKeys).where(isOwn(input)).limit(1);
  if (!row) throw notFound();
  return describeKey(row);
}

/**
 * Creates a key of a wallet. The secret is returned only here.
 * @throws {ServiceError} invalid_request, limit_reached
 */
export async function createApiKey(
  deps: KeyDeps,
  input: { owner: Address; kind: 'test' | 'live'; request: CreateApiKeyRequest },
): Promise<ApiKeyCreated> {
  const { owner, kind, request } = input;
  const expiresAt = readExpiry(request.expiresAt);
  const secret = generateApiKey(kind);
  const row = await deps.database.orm.transaction(async (tx) => {
    // Serialised per wallet, so that counting and inserting are atomic.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`keys ${owner}`}, 0))`);
    const isOwnActive = and(eq(apiKeys.ownerAddress, owner), isActive());
    if ((await tx.$count(apiKeys, isOwnActive)) >= MAX_KEYS_PER_OWNER) {
      throw new ServiceError(
        'limit_reached',
        `A wallet can have ${MAX_KEYS_PER_OWNER} active API keys. Revoke one first.`,
      );
    }
    const [stored] = await tx
      .insert(apiKeys)
      .values({
        id: newApiKeyId(),
        kind,
        hash: hashApiKey(secret),
        hint: apiKeyHint(secret),
        ownerAddress: owner,
        ...request,
        expiresAt,
      })
      .returning();
    return stored;
  });
  if (!row) throw new Error('the API key was not stored');
  return { key: describeKey(row), secret };
}

/** @throws {ServiceError} key_not_found, key_not_active, invalid_request */
export async function updateApiKey(
  deps: KeyDeps,
  input: Own & { request: UpdateApiKeyRequest },
): Promise<ApiKey> {
  const { expiresAt, ...changes } = input.request;
  return await change(deps, input, {
    // Avoids an empty update when the request changes nothing.
    id: input.id,
    ...changes,
    ...(expiresAt === undefined ? {} : { expiresAt: readExpiry(expiresAt) }),
  });
}

/**
 * Creates a new secret for the same key; the old one works for another `overlapSeconds`.
 * @throws {ServiceError} key_not_found, key_not_active
 */
export async function rotateApiKey(
  deps: KeyDeps,
  input: Own & { overlapSeconds: number },
): Promise<ApiKeyCreated> {
  const { kind } = await getApiKey(deps, input);
  const secret = generateApiKey(kind);
  const key = await change(deps, input, {
    previousHash: sql`${apiKeys.hash}`,
    previousUntil: sql`now() + ${input.overlapSeconds} * interval '1 second'`,
    hash: hashApiKey(secret),
    hint: apiKeyHint(secret),
  });
  return { key, secret };
}

/** Revokes a key permanently. Idempotent. @throws {ServiceError} key_not_found */
export async function revokeApiKey(deps: KeyDeps, input: Own): Promise<ApiKey> {
  const [row] = await deps.database.orm
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
    .where(isOwn(input))
    .returning();
  if (!row) throw notFound();
  return describeKey(row);
}

/** The ids of a wallet's active keys. */
export async function listActiveKeyIds(db: Queryable, owner: Address): Promise<string[]> {
  const rows = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.ownerAddress, owner), isActive()));
  return rows.map((row) => row.id);
}

/** Revokes every key of a wallet; returns how many were active. */
export async function revokeAllApiKeys(db: Queryable, owner: Address): Promise<number> {
  const revoked = await db
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.ownerAddress, owner), isActive()));
  return revoked.rowCount ?? 0;
}

/** The keys among these that no longer work. */
export async function findInactiveApiKeys(
  deps: KeyDeps,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const active = await deps.database.orm
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(inArray(apiKeys.id, [...ids]), isActive()));
  return ids.filter((id) => !active.some((one) => one.id === id));
}

type Changes = { [Name in keyof typeof apiKeys.$inferInsert]?: KeyRow[Name] | SQL | undefined };

async function change(deps: KeyDeps, own: Own, changes: Changes): Promise<ApiKey> {
  const [row] = await deps.database.orm
    .update(apiKeys)
    .set(changes)
    .where(and(isOwn(own), isActive()))
    .returning();
  if (row) return describeKey(row);
  const { status } = await getApiKey(deps, own);
  throw new ServiceError('key_not_active', `The API key is ${status}. Create a new one.`);
}

const isOwn = ({ owner, id }: Own) => and(eq(apiKeys.id, id), eq(apiKeys.ownerAddress, owner));

const isActive = () =>
  and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)));

function readExpiry(text: string | null): Date | null {
  if (text === null) return null;
  const expiresAt = new Date(text);
  if (expiresAt > new Date()) return expiresAt;
  throw new ServiceError('invalid_request', 'One field must be changed.', {
    errors: [{ pointer: '/expiresAt', detail: 'must be in the future' }],
  });
}

const notFound = () => new ServiceError('key_not_found', 'You have no API key with this ID.');

function describeKey(row: KeyRow): ApiKey {
  const now = new Date();
  const isExpired = row.expiresAt !== null && row.expiresAt <= now;
  const previousUntil = row.previousUntil && row.previousUntil > now ? row.previousUntil : null;
  return {
    id: row.id,
    name: row.name,
    kind: row.kind === 'live' ? 'live' : 'test',
    hint: row.hint,
    ownerAddress: row.ownerAddress ?? '',
    scopes: row.scopes,
    ipRanges: row.ipRanges,
    origins: row.origins,
    status: row.revokedAt ? 'revoked' : isExpired ? 'expired' : 'active',
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    previousSecretExpiresAt: previousUntil?.toISOString() ?? null,
  };
}
