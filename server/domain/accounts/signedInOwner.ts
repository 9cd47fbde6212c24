import {
  type Address,
  decodeFunctionData,
  type Hex,
  isAddressEqual,
  isErc6492Signature,
  parseErc6492Signature,
} from 'viem';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { readAccountAddress } from '../../chain/accountReads.ts';
import type { Chain } from '../../chain/client.ts';
import { isServiceError } from '../../platform/errors.ts';
import { redeemSignInMessage } from '../auth/signIn.ts';
import { type AccountDeps, resolveAccount, storeAccount } from './accounts.ts';

type SignInDeps = AccountDeps & { config: { publicBaseUrl: string } };

/** The owner who signs in with a signed message. @throws {ServiceError} `sign_in_failed` */
export async function ownerSigningIn(
  deps: SignInDeps,
  signed: { message: string; signature: string },
): Promise<Address> {
  const { database, chain, config } = deps;
  const signature = signed.signature as Hex;
  const wallet = await redeemSignInMessage(
    { database, chain, publicBaseUrl: config.publicBaseUrl },
    { message: signed.message, signature },
  );
  return await signedInOwner(deps, wallet, signature);
}

/**
 * The owner that a wallet represents after it has proved itself by `signature`. Our smart accounts
 * sign with their owner's key, so they represent the owner, even before deployment. Every other
 * wallet represents itself.
 */
async function signedInOwner(deps: AccountDeps, wallet: Address, signature: Hex): Promise<Address> {
  const owner = await ownerByDeployment(deps.chain, wallet, signature);
  if (owner) {
    await storeAccount(deps, { owner, account: wallet });
    return owner;
  }
  try {
    const identity = await resolveAccount(deps, wallet);
    await storeAccount(deps, identity);
    return identity.owner;
  } catch (error) {
    // A plain wallet signs in without the chain.
    if (isServiceError(error) && error.code === 'chain_unavailable') return wallet;
    throw error;
  }
}

/** The owner whose smart account an ERC-6492 signature deploys, if it does. */
async function ownerByDeployment(
  chain: Chain,
  wallet: Address,
  signature: Hex,
): Promise<Address | undefined> {
  if (!isErc6492Signature(signature)) return undefined;
  const { address: factory, data } = parseErc6492Signature(signature);
  if (!factory || !data || !isAddressEqual(factory, chain.contracts.accountFactory)) {
    return undefined;
  }
  const owner = ownerOfCall(data);
  if (!owner) return undefined;
  return isAddressEqual(await readAccountAddress(chain, owner), wallet) ? owner : undefined;
}

function ownerOfCall(data: Hex): Address | undefined {
  try {
    const call = decodeFunctionData({ abi: tradingAccountFactoryAbi, data });
    const isDeployment =
      call.functionName === 'createAccount' || call.functionName === 'createAndGrant';
    return isDeployment ? call.args[0] : undefined;
  } catch {
    return undefined;
  }
}
