import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Address, getAddress, type Hex, pad, size, slice } from 'viem';
import { type GrantKey, KEY_KIND } from '#lib/account/sessionKey.ts';
import type { SessionKey } from '#lib/api/schemas/account.ts';
import type { SessionKeyRecord } from '#lib/api/schemas/sessionKey.ts';
import { readAccountState } from '../../chain/accountReads.ts';
import { findBlockTimes } from '../../chain/blockTimes.ts';
import type { Database } from '../../platform/database/client.ts';
import { sessionKeys } from '../../platform/database/schema/sessionKeys.ts';
import { ServiceError } from '../../platform/errors.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';
import { type AccountDeps, fromChain, resolveAccount } from './accounts.ts';
import { readGrantKeys } from './grantKeys.ts';
import { currentGrant, getRecordedGrant } from './grants.ts';

/** The published form of a session key; null for a grant without one. */
export function describeSessionKey({ keyKind, key }: GrantKey): SessionKey | null {
  if (keyKind === KEY_KIND.p256) return { kind: 'p256', key };
  if (keyKind !== KEY_KIND.secp256k1) return null;
  return { kind: 'secp256k1', key: getAddress(slice(key, 12)) };
}

/**
 * The session keys of the owner's current grant, oldest first, removed ones included.
 * @throws {ServiceError} chain_unavailable
 */
export async function listSessionKeys(
  deps: AccountDeps,
  owner: string,
): Promise<SessionKeyRecord[]> {
  const { account } = await resolveAccount(deps, owner);
  return await listOf(deps, account);
}

/**
 * Names a key that signs for the owner's account.
 * @throws {ServiceError} session_key_not_found, chain_unavailable
 */
export async function nameSessionKey(
  deps: AccountDeps,
  owner: string,
  { key: text, name }: { key: string; name: string },
): Promise<SessionKeyRecord> {
  const { account } = await resolveAccount(deps, owner);
  const given = text.toLowerCase() as Hex;
  const key = size(given) === 20 ? pad(given, { size: 32 }) : given;
  const isIt = (record: SessionKeyRecord) => keyOf(record) === key && record.status === 'active';
  const found = (await listOf(deps, account, key)).find(isIt);
  if (!found) {
    throw new ServiceError(
      'session_key_not_found',
      'The trading permission has no active session key like this. Nothing was changed.',
    );
  }
  const { accountId } = sessionKeys;
  await deps.database.orm
    .insert(sessionKeys)
    .values({ accountId: account, key, name })
    .onConflictDoUpdate({ target: [accountId, sessionKeys.key], set: { name } });
  return { ...found, name };
}

const keyOf = ({ kind, key }: SessionKey): Hex => {
  const lower = key.toLowerCase() as Hex;
  return kind === 'secp256k1' ? pad(lower, { size: 32 }) : lower;
};

async function listOf(
  deps: AccountDeps,
  account: Address,
  maybeKey?: Hex,
): Promise<SessionKeyRecord[]> {
  const [state, recorded] = await Promise.all([
    fromChain(() => readAccountState(deps.chain, account)),
    getRecordedGrant(deps, account),
  ]);
  const keys = await readGrantKeys(deps, account, currentGrant(state, recorded), maybeKey);
  const blocks = keys.flatMap(({ addedAtBlock, removedAtBlock }) =>
    [addedAtBlock, removedAtBlock].filter((block) => block !== undefined),
  );
  const times = await findBlockTimes(deps.database.orm, blocks);
  const signedAt = (key: Hex) =>
    key === recorded?.grant.key.toLowerCase() ? recorded.signedAt : undefined;
  return keys.flatMap((one): SessionKeyRecord[] => {
    const published = describeSessionKey(one);
    if (!published) return [];
    const timeOf = (block: bigint | undefined) =>
      block === undefined ? undefined : times.get(block);
    return [
      {
        ...published,
        name: one.name,
        status: one.isRemoved ? 'removed' : 'active',
        addedAt: (timeOf(one.addedAtBlock) ?? signedAt(one.key))?.toISOString() ?? null,
        removedAt: timeOf(one.removedAtBlock)?.toISOString() ?? null,
        lastUsedAt: one.lastUsedAt?.toISOString() ?? null,
      },
    ];
  });
}

/** Uses of one key within this time cost one write. */
const LAST_USED_STEP_MS = 60_000;
const MOST_REMEMBERED = 100_000;

const recentUses = memoizeByObject(
  (_database: Database) =>
    new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: LAST_USED_STEP_MS }),
);

/** Records that a key has signed an order that is taken. */
export async function recordKeyUse(
  { database }: Pick<AccountDeps, 'database'>,
  account: Address,
  key: Hex,
): Promise<void> {
  const recent = recentUses(database);
  const id = `${account} ${key}`;
  if (recent.has(id)) return;
  recent.set(id, true);
  const lastUsedAt = sql`now()`;
  const { accountId } = sessionKeys;
  await database.orm
    .insert(sessionKeys)
    .values({ accountId: account, key, lastUsedAt })
    .onConflictDoUpdate({ target: [accountId, sessionKeys.key], set: { lastUsedAt } });
}
