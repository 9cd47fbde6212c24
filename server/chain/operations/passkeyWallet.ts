import {
  type Address,
  decodeFunctionData,
  type Hex,
  isAddressEqual,
  isErc6492Signature,
  parseErc6492Signature,
} from 'viem';
import { passkeyWalletFactoryAbi } from '#contracts/abi/passkeyWalletFactory.ts';
import { encodeCall } from '#contracts/encodeCall.ts';
import type { Contracts } from '../client.ts';
import type { EncodedCall } from './encode.ts';

/** The point of a P-256 public key. */
export type PasskeyPoint = { qx: Hex; qy: Hex };

type SignedByPasskey = PasskeyPoint & { factory: Address; signature: Hex };

/** Of the wallet's deployment, and its signature check on a chain without the P-256 precompile. */
const WALLET_GAS = 500_000n;

/**
 * What a signature says that also deploys a passkey's wallet (ERC-6492); undefined for any other,
 * also for one that calls a factory other than ours.
 */
export function readPasskeySignature(
  { passkeyFactory }: Pick<Contracts, 'passkeyFactory'>,
  wrapped: Hex,
): SignedByPasskey | undefined {
  if (!passkeyFactory || !isErc6492Signature(wrapped)) return undefined;
  try {
    const { address: factory, data = '0x', signature } = parseErc6492Signature(wrapped);
    if (!factory || !isAddressEqual(factory, passkeyFactory)) return undefined;
    const call = decodeFunctionData({ abi: passkeyWalletFactoryAbi, data });
    if (call.functionName !== 'createWallet') return undefined;
    const [qx, qy] = call.args;
    return { factory: passkeyFactory, qx, qy, signature };
  } catch {
    return undefined;
  }
}

/**
 * A call that carries an owner's signature. A passkey's wallet, which a contract asks for its
 * signature, is deployed first in the same transaction.
 */
export function encodeSigned(
  contracts: Contracts,
  wrapped: Hex,
  encode: (signature: Hex) => EncodedCall,
): EncodedCall {
  const owner = readPasskeySignature(contracts, wrapped);
  if (!owner) return encode(wrapped);
  const { to, data, gas } = encode(owner.signature);
  return {
    to: owner.factory,
    data: encodeCall(passkeyWalletFactoryAbi, 'createAndCall', [owner.qx, owner.qy, to, data]),
    gas: gas + WALLET_GAS,
  };
}
