import { type Address, getAddress } from 'viem';
import { type Chain, factoryOf, vaultOf } from '../../chain/client.ts';
import { listSigners } from '../../chain/operations/signerLeases.ts';
import type { Database } from '../../platform/database/client.ts';
import { ServiceError, throwFirst } from '../../platform/errors.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';
import { createTimedCache } from '../../platform/timedCache.ts';
import { type AccountDeps, fromChain } from './accounts.ts';

/** Keys and the treasury change rarely; while the chain is unavailable, the last values apply. */
const RENEWED_AFTER_MS = 30_000;
const REMEMBERED_MS = 60 * 60_000;

export type Parties = Partial<Record<Party, string | undefined>>;

type Party = '/userAddress' | '/address' | '/receiverAddress' | '/destinationAddress';

/**
 * Rejects the service's own addresses: the ledger records the balances of its contracts and keys
 * under separate names, so as an account they would be counted twice.
 * @throws {ServiceError} address_not_allowed, receiver_not_allowed, chain_unavailable
 */
export async function requireNotServiceAddress(deps: AccountDeps, parties: Parties): Promise<void> {
  throwFirst(await findServiceAddresses(deps, parties));
}

/** A problem for each party that is one of the service's own addresses. */
export async function findServiceAddresses(
  deps: AccountDeps,
  parties: Parties,
): Promise<ServiceError[]> {
  const ours = await fromChain(() => ownAddressesOf(deps.database)(deps.chain)('all'));
  return Object.entries(parties).flatMap(([pointer, text]) => {
    if (text === undefined || !ours.has(getAddress(text.toLowerCase()))) return [];
    const isReceiver = pointer === '/receiverAddress' || pointer === '/destinationAddress';
    return new ServiceError(
      isReceiver ? 'receiver_not_allowed' : 'address_not_allowed',
      `${text} belongs to Crossbook. Use another address. Nothing was created.`,
      { errors: [{ pointer, detail: 'must not be a Crossbook address' }] },
    );
  });
}

const ownAddressesOf = memoizeByObject((database: Database) =>
  memoizeByObject((chain: Chain) =>
    createTimedCache(REMEMBERED_MS, () => readOwnAddresses(database, chain), {
      renewAfterMs: RENEWED_AFTER_MS,
    }),
  ),
);

async function readOwnAddresses(database: Database, chain: Chain): Promise<ReadonlySet<Address>> {
  const [signers, ...onChain] = await Promise.all([
    listSigners(database.orm),
    vaultOf(chain).read.treasury(),
    factoryOf(chain).read.implementation(),
  ]);
  const all = [...Object.values(chain.contracts), ...signers, ...onChain];
  return new Set(all.map((address) => getAddress(address)));
}
