import type { KeyObject } from 'node:crypto';
import {
  type Address,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  recoverAddress,
  type Signature,
  serializeTransaction,
  type TransactionSerializableEIP1559,
} from 'viem';
import { privateKeyToAccount, publicKeyToAddress } from 'viem/accounts';
import { readEcdsaSignature, withLowS } from './ecdsaSignature.ts';
import { type KeyService, KeyServiceError, type KeySource } from './keyService.ts';

export type UnsignedTransaction = TransactionSerializableEIP1559 & { type: 'eip1559' };

/**
 * A key that signs transactions, local or in a key service. A signature alone has no effect on the
 * chain.
 */
export type ChainSigner = {
  address: Address;
  /** The serialised, signed transaction. @throws {KeyServiceError} when it cannot be signed now */
  signTransaction(transaction: UnsignedTransaction): Promise<Hex>;
};

/** @throws {KeyServiceError} when the key is at a key service that is not available */
export async function openChainSigner(
  source: KeySource<Hex>,
  service: KeyService | undefined,
): Promise<ChainSigner> {
  if (source.kind === 'local') return localChainSigner(source.value);
  if (!service) throw new KeyServiceError('refused', 'KEY_SERVICE_URL is not set');
  return await serviceChainSigner(service, source.keyId);
}

export function localChainSigner(privateKey: Hex): ChainSigner {
  const account = privateKeyToAccount(privateKey);
  return {
    address: account.address,
    signTransaction: (transaction) => account.signTransaction(transaction),
  };
}

async function serviceChainSigner(service: KeyService, keyId: string): Promise<ChainSigner> {
  const address = addressOf(keyId, await service.getPublicKey(keyId));
  return {
    address,
    async signTransaction(transaction) {
      const digest = keccak256(serializeTransaction(transaction));
      const bytes = await service.sign(keyId, 'ECDSA_SHA_256', {
        digest: hexToBytes(digest),
      });
      return serializeTransaction(transaction, await recoverable(bytes, digest, address));
    },
  };
}

/** The address of a secp256k1 key. */
function addressOf(keyId: string, key: KeyObject): Address {
  const { crv, x, y } = key.export({ format: 'jwk' });
  if (crv !== 'secp256k1' || !x || !y) {
    throw new KeyServiceError('refused', `${keyId} is not a secp256k1 key (ECC_SECG_P256K1)`);
  }
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return publicKeyToAddress(`0x04${point.toString('hex')}`);
}

/**
 * A key service returns r and s only. The address determines which of the two possible points is
 * meant; if neither fits, another key has signed.
 */
async function recoverable(bytes: Uint8Array, digest: Hex, address: Address): Promise<Signature> {
  const { r, s } = withLowS(readSignature(bytes));
  for (const yParity of [0, 1] as const) {
    const signature = {
      r: numberToHex(r, { size: 32 }),
      s: numberToHex(s, { size: 32 }),
      yParity,
    };
    const signer = await recoverAddress({ hash: digest, signature }).catch(() => undefined);
    if (signer === address) return signature;
  }
  throw new KeyServiceError('refused', `the signature is not by the key of ${address}`);
}

function readSignature(bytes: Uint8Array) {
  try {
    return readEcdsaSignature(bytes);
  } catch (cause) {
    throw new KeyServiceError('refused', 'the key service returned no signature', { cause });
  }
}
