import { type Address, getAddress, type Hex } from 'viem';
import type { WalletOwner, WalletOwners } from '#lib/api/schemas/passkey.ts';
import { ownerIdOfKey } from '#lib/passkey/passkeyWallet.ts';
import { readPasskeyWallet } from '#server/chain/passkeyWalletReads.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { fromChain, resolveAccount } from '../accounts/accounts.ts';
import { findPasskeysOf } from '../accounts/passkeys.ts';
import { mayDeploy } from './mayDeploy.ts';
import type { RelayDeps } from './relay.ts';

/**
 * The owners of a passkey's wallet, as the chain has them, with what the service knows about each.
 * @throws {ServiceError} passkey_not_found for a contract that is not a passkey's wallet,
 *   chain_unavailable
 */
export async function readWalletOwners(deps: RelayDeps, address: string): Promise<WalletOwners> {
  const identity = await resolveAccount(deps, address);
  const wallet = identity.owner;
  const [state, isAccepted] = await fromChain(() =>
    Promise.all([
      readPasskeyWallet(deps.chain, wallet),
      mayDeploy(deps.chain, { ...identity, type: 'walletBatch' }),
    ]),
  );
  if (state === 'foreign') {
    throw new ServiceError('passkey_not_found', 'This address is not the wallet of a passkey.');
  }
  if (state === 'undeployed') {
    const batch = { nonce: '0', isAccepted };
    return { wallet, isDeployed: false, firstKey: null, owners: [], batch };
  }
  const { firstKey, ownerIds, batchNonce } = state;
  const batch = { nonce: batchNonce.toString(), isAccepted };
  const owners = await describeOwners(deps, firstKey, ownerIds);
  return { wallet, isDeployed: true, firstKey, owners, batch };
}

async function describeOwners(
  { database }: Pick<RelayDeps, 'database'>,
  firstKey: Hex,
  ids: readonly Hex[],
): Promise<WalletOwner[]> {
  const stored = await findPasskeysOf({ database }, firstKey, ids);
  return ids.map((id) => {
    const address = addressIn(id);
    const row = stored.get(id);
    return {
      id,
      type: address ? 'wallet' : 'passkey',
      address: address ?? null,
      publicKey: row?.publicKey ?? (id === ownerIdOfKey(firstKey) ? firstKey : null),
      name: row?.name ?? null,
      createdAt: row?.createdAt.toISOString() ?? null,
    };
  });
}

/** The address that an id is, if it is no hash of a key. */
function addressIn(id: Hex): Address | undefined {
  return /^0x0{24}/.test(id) ? getAddress(`0x${id.slice(26)}`) : undefined;
}
