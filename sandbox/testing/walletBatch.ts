import {
  type Address,
  type Hex,
  hashTypedData,
  type LocalAccount,
  type TypedDataDefinition,
} from 'viem';
import type { CrossbookClient } from '#lib/api/client.ts';
import type { RelayRequestInput } from '#lib/api/schemas/relay.ts';
import { base } from '#lib/chains.ts';
import { type PublicKey, signatureByAddress, walletSignature } from '#lib/passkey/passkeyWallet.ts';
import { BATCH_GAS, type BatchMessage, walletBatchTypedData } from '#lib/relay/batchToSign.ts';
import type { SignedCall } from './relayed.ts';

/** Signs a digest as one owner of a passkey's wallet, wrapped with the wallet's deployment. */
export type OwnerSigner = (digest: Hex) => Hex | Promise<Hex>;

/** A wallet as the owner of a passkey's wallet. */
export function walletAsOwner(
  factory: Address,
  firstKey: PublicKey,
  owner: LocalAccount,
): OwnerSigner {
  return async (digest) => {
    if (!owner.sign) throw new Error('this wallet signs no digests');
    const signature = signatureByAddress(owner.address, await owner.sign({ hash: digest }));
    return walletSignature(factory, firstKey, signature);
  };
}

/** A signed batch of a passkey's wallet, under its next nonce unless the message says otherwise. */
export async function signWalletBatch(
  api: CrossbookClient,
  wallet: Address,
  sign: OwnerSigner,
  calls: SignedCall[],
  changed: Partial<BatchMessage> = {},
): Promise<RelayRequestInput & { type: 'walletBatch' }> {
  const message = {
    calls: calls.map((call) => ({ ...call, value: '0' })),
    gas: BATCH_GAS.toString(),
    nonce: changed.nonce ?? (await api.getWalletOwners(wallet)).batch.nonce,
    deadline: Math.floor(Date.now() / 1_000 + 600).toString(),
    ...changed,
  };
  const typedData: TypedDataDefinition = walletBatchTypedData(base.id, wallet, message);
  const signature = await sign(hashTypedData(typedData));
  return { type: 'walletBatch', address: wallet, message, signature };
}
