import type { Database } from '../../platform/database/client.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';
import type { AccountIdentity } from './accounts.ts';

/**
 * The accounts each grant was offered to, so that a signed message need not name its account.
 * Bounded and in memory, since any caller may request any account's: a caller that names the
 * address, or is signed in, does not depend on it.
 */
type Offers = Map<string, Map<string, AccountIdentity>>;

const MOST_MESSAGES = 10_000;
/** Accounts with identical messages, because they were requested in the same second. */
const MOST_OF_ONE_MESSAGE = 64;

const offersOf = memoizeByObject((_database: Database): Offers => new Map());

export function recordOffer(database: Database, hash: string, identity: AccountIdentity): void {
  const offers = offersOf(database);
  const same = offers.get(hash) ?? new Map<string, AccountIdentity>();
  same.set(identity.account, identity);
  if (same.size > MOST_OF_ONE_MESSAGE) deleteOldest(same);
  offers.delete(hash);
  offers.set(hash, same);
  if (offers.size > MOST_MESSAGES) deleteOldest(offers);
}

export function findOffered(database: Database, hash: string): AccountIdentity[] {
  return [...(offersOf(database).get(hash)?.values() ?? [])];
}

/** Insertion order: the first is the oldest. */
function deleteOldest(map: Map<string, unknown>): void {
  const oldest = map.keys().next().value;
  if (oldest !== undefined) map.delete(oldest);
}
