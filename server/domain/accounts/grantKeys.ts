import { desc, eq } from 'drizzle-orm';
import type { Address, Hex } from 'viem';
import { type GrantKey, KEY_KIND, namesSessionKey } from '#lib/account/sessionKey.ts';
import { type AccountGrant, readSessionKeyKinds } from '../../chain/accountReads.ts';
import { sessionKeys } from '../../platform/database/schema/sessionKeys.ts';
import { type AccountDeps, fromChain } from './accounts.ts';
import { listSessionKeyEvents, type SessionKeyEvent } from './sessionKeyEvents.ts';

/** A session key of a grant, with what is known about it. */
export type GrantKeyState = GrantKey & {
  isRemoved: boolean;
  /** Undefined for a key that is not on chain yet, or whose logs have not been read. */
  addedAtBlock: bigint | undefined;
  removedAtBlock: bigint | undefined;
  name: string | null;
  lastUsedAt: Date | null;
};

type Known = { events: readonly SessionKeyEvent[]; stored: readonly StoredKey[] };
type StoredKey = typeof sessionKeys.$inferSelect;

/** Keys of earlier grants stay stored; the newest are enough to find those of this one. */
const MOST_STORED = 50;

/**
 * The session keys of a grant, oldest first. Logs and names say which there may be and since when;
 * the account itself says which of them sign, so that what was signed a moment ago counts.
 * @param maybeKey another key to look for, whose log may not have been read
 * @throws {ServiceError} chain_unavailable
 */
export async function readGrantKeys(
  deps: AccountDeps,
  account: Address,
  current: { grant: AccountGrant; isOnChain: boolean } | undefined,
  maybeKey?: Hex,
): Promise<GrantKeyState[]> {
  if (!current || !namesSessionKey(current.grant)) return [];
  const { grant, isOnChain } = current;
  const { orm } = deps.database;
  const [events, stored] = await Promise.all([
    isOnChain ? listSessionKeyEvents(orm, account, grant.nonce) : [],
    orm
      .select()
      .from(sessionKeys)
      .where(eq(sessionKeys.accountId, account))
      .orderBy(desc(sessionKeys.createdAt))
      .limit(MOST_STORED),
  ]);
  const known = { events, stored };
  if (!isOnChain) return [stateOf({ ...grant, key: grant.key.toLowerCase() as Hex }, known)];
  const keys = await readKinds(deps, account, grant, [
    ...[...events, ...stored].map(({ key }) => key as Hex),
    ...(maybeKey === undefined ? [] : [maybeKey]),
  ]);
  const states = keys.flatMap((key) => withKind(key, known));
  return states.sort((one, other) => Number(blockOf(one) - blockOf(other)));
}

/** What each key is now. A grant without further keys needs no request to the node. */
async function readKinds(
  deps: AccountDeps,
  account: Address,
  grant: GrantKey,
  maybeKeys: readonly Hex[],
): Promise<GrantKey[]> {
  const others = [...new Set(maybeKeys)].filter((key) => key !== grant.key);
  const kinds =
    others.length === 0
      ? []
      : await fromChain(() => readSessionKeyKinds(deps.chain, account, others));
  const keys = others.map((key, index) => ({ keyKind: kinds[index] ?? KEY_KIND.none, key }));
  // A grant keeps its kind when its own key is removed.
  const isOwnRemoved = BigInt(grant.key) === 0n;
  return isOwnRemoved ? keys : [{ keyKind: grant.keyKind, key: grant.key }, ...keys];
}

/** A key whose log has not been read was added last. */
const NEWEST = 2n ** 62n;

const blockOf = ({ addedAtBlock }: GrantKeyState) => addedAtBlock ?? NEWEST;

/** Nothing for a key that the grant does not have, or that was removed without having been added. */
function withKind({ keyKind, key }: GrantKey, known: Known): GrantKeyState[] {
  if (keyKind === KEY_KIND.none) return [];
  if (keyKind !== KEY_KIND.removed) return [stateOf({ keyKind, key }, known)];
  const before = known.events.find((event) => event.key === key && event.keyKind !== null);
  if (!before?.keyKind) return [];
  return [{ ...stateOf({ keyKind: before.keyKind, key }, known), isRemoved: true }];
}

function stateOf({ keyKind, key }: GrantKey, { events, stored }: Known): GrantKeyState {
  const logged = events.filter((event) => event.key === key);
  const { name = null, lastUsedAt = null } = stored.find((row) => row.key === key) ?? {};
  return {
    keyKind,
    key,
    isRemoved: false,
    addedAtBlock: logged.find(({ kind }) => kind !== 'removed')?.blockNumber,
    removedAtBlock: logged.find(({ kind }) => kind === 'removed')?.blockNumber,
    name,
    lastUsedAt,
  };
}
