import { desc, eq, or } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import { type Address, BaseError, getAddress, isAddressEqual } from 'viem';
import { readAccountAddress } from '../../chain/accountReads.ts';
import { accountOf, type Chain, isDeployed } from '../../chain/client.ts';
import type { Database } from '../../platform/database/client.ts';
import { isOneOf } from '../../platform/database/isOneOf.ts';
import { accounts } from '../../platform/database/schema/accounts.ts';
import { ServiceError } from '../../platform/errors.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';
import { createTimedCache } from '../../platform/timedCache.ts';

/** A wallet and its smart account. Both checksummed. */
export type AccountIdentity = { owner: Address; account: Address };

export type AccountDeps = { database: Database; chain: Chain };

/** Runs a read of the chain. @throws {ServiceError} `chain_unavailable` */
export async function fromChain<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof BaseError)) throw cause;
    throw new ServiceError('chain_unavailable', 'The chain is not responding. Try again.', {
      cause,
      retryAfterSeconds: 2,
    });
  }
}

/** The owner of a contract, if it is a smart account of ours. */
async function ownerOnChain(chain: Chain, address: Address): Promise<Address | undefined> {
  if (!(await isDeployed(chain, address))) return undefined;
  try {
    const owner = await accountOf(chain, address).read.owner();
    // Any contract can claim an owner; only the factory's own address is that owner's account.
    return isAddressEqual(await readAccountAddress(chain, owner), address) ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** The known accounts and owners among these checksummed addresses. */
export async function findAccounts(
  { database }: Pick<AccountDeps, 'database'>,
  addresses: readonly string[],
): Promise<Map<string, AccountIdentity>> {
  const rows = await database.orm
    .select({ account: accounts.id, owner: accounts.ownerAddress })
    .from(accounts)
    .where(or(isOneOf(accounts.id, addresses), isOneOf(accounts.ownerAddress, addresses)));
  const found = new Map<string, AccountIdentity>();
  const identities = rows as AccountIdentity[];
  for (const one of identities) found.set(one.owner, one);
  // An account may have been stored as an owner before its real owner was known.
  for (const one of identities) found.set(one.account, one);
  return found;
}

/**
 * Resolves an address to owner and smart account, whichever of the two it is. An unknown address
 * counts as an owner: its smart account has an address before it exists. Stores nothing.
 *
 * @throws {ServiceError} `chain_unavailable`
 */
export async function resolveAccount(
  deps: AccountDeps,
  userAddress: string,
): Promise<AccountIdentity> {
  return await resolverOf(deps.database)(deps.chain)(getAddress(userAddress));
}

/** An account's owner never changes, only whether it is known yet. */
const REMEMBERED_MS = 1_000;
const resolverOf = memoizeByObject((database: Database) =>
  memoizeByObject((chain: Chain) =>
    createTimedCache(REMEMBERED_MS, (address) =>
      resolveAnew({ database, chain }, address as Address),
    ),
  ),
);

async function resolveAnew(deps: AccountDeps, address: Address): Promise<AccountIdentity> {
  const [known] = await deps.database.orm
    .select()
    .from(accounts)
    .where(or(eq(accounts.id, address), eq(accounts.ownerAddress, address)))
    // An account may have been stored as an owner before its real owner was known.
    .orderBy(desc(eq(accounts.id, address)))
    .limit(1);
  if (known) {
    const identity = { owner: known.ownerAddress as Address, account: known.id as Address };
    storedIn(deps.database).set(identity.account, true);
    return identity;
  }

  const askedFor = ownersIn(deps.database);
  const owner =
    askedFor.get(address) ??
    (await fromChain(async () => (await ownerOnChain(deps.chain, address)) ?? address));
  const account = await fromChain(() => readAccountAddress(deps.chain, owner));
  askedFor.set(account, owner);
  return { owner, account };
}

const MOST_REMEMBERED = 100_000;

/**
 * Owners of recently requested smart accounts. Before an account is deployed or stored, its address
 * looks like a wallet's.
 */
const ownersIn = memoizeByObject(
  (_database: Database) => new LRUCache<Address, Address>({ max: MOST_REMEMBERED }),
);

/** Accounts that this process knows to be stored, so that an order costs no statement for it. */
const storedIn = memoizeByObject(
  (_database: Database) => new LRUCache<string, true>({ max: MOST_REMEMBERED }),
);

/**
 * Stores an account after its owner has used it (signed in, granted trading, ordered, received test
 * funds). Reading an address stores nothing.
 */
export async function storeAccount(
  { database }: Pick<AccountDeps, 'database'>,
  identity: AccountIdentity,
): Promise<void> {
  if (storedIn(database).has(identity.account)) return;
  await database.orm
    .insert(accounts)
    .values({ id: identity.account, ownerAddress: identity.owner })
    .onConflictDoNothing();
  storedIn(database).set(identity.account, true);
}

/** The holders whose tokens belong to an address: an owner's include the smart account. */
export function holdersOf({ owner, account }: AccountIdentity, asked: string): Address[] {
  return isAddressEqual(asked as Address, account) ? [account] : [owner, account];
}
