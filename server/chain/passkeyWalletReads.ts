import {
  type Address,
  ContractFunctionExecutionError,
  concatHex,
  type Hex,
  isAddressEqual,
} from 'viem';
import { passkeyWalletAbi } from '#contracts/abi/passkeyWallet.ts';
import { ownerIdOfKey, type PublicKey, passkeyWalletAddress } from '#lib/passkey/passkeyWallet.ts';
import { type Chain, isDeployed } from './client.ts';

/** What a deployed wallet of passkeys says of itself. */
export type PasskeyWalletState = {
  /** The key that its address commits to. */
  firstKey: PublicKey;
  ownerIds: readonly Hex[];
  /** The nonce that its next batch must carry. */
  batchNonce: bigint;
};

/**
 * The state of a passkey's wallet: `undeployed`, or `foreign` for a contract that our factory did
 * not make.
 */
export async function readPasskeyWallet(
  chain: Chain,
  wallet: Address,
): Promise<PasskeyWalletState | 'undeployed' | 'foreign'> {
  if (!(await isDeployed(chain, wallet))) return 'undeployed';
  const { passkeyFactory } = chain.contracts;
  if (!passkeyFactory) return 'foreign';
  const read = <Name extends 'firstKey' | 'owners' | 'batchNonce'>(functionName: Name) =>
    chain.client.readContract({ address: wallet, abi: passkeyWalletAbi, functionName });
  try {
    const [point, ownerIds, batchNonce] = await Promise.all([
      read('firstKey'),
      read('owners'),
      read('batchNonce'),
    ]);
    const firstKey = concatHex([...point]);
    // Any contract can claim a key; only the factory's own address is that key's wallet.
    const isOurs = isAddressEqual(passkeyWalletAddress(passkeyFactory, firstKey), wallet);
    return isOurs ? { firstKey, ownerIds, batchNonce } : 'foreign';
  } catch (error) {
    if (error instanceof ContractFunctionExecutionError && isRefusal(error)) return 'foreign';
    throw error;
  }
}

/** Whether the contract itself has no such function, rather than the node no response. */
function isRefusal(error: ContractFunctionExecutionError): boolean {
  const { name } = error.cause;
  return name === 'ContractFunctionRevertedError' || name === 'ContractFunctionZeroDataError';
}

/** Whether a key may sign for the wallet now. */
export async function isKeyOwner(
  chain: Chain,
  wallet: Address,
  { publicKey, firstKey }: { publicKey: PublicKey; firstKey: PublicKey },
): Promise<boolean> {
  const state = await readPasskeyWallet(chain, wallet);
  if (state === 'undeployed') return publicKey === firstKey;
  return state !== 'foreign' && state.ownerIds.includes(ownerIdOfKey(publicKey));
}
