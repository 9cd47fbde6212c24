import {
  type Address,
  BaseError,
  type Hex,
  HttpRequestError,
  hashMessage,
  hashTypedData,
  isAddressEqual,
  isHex,
  RpcRequestError,
  recoverAddress,
  TimeoutError,
  type TypedDataDefinition,
} from 'viem';
import type { Chain } from '../../chain/client.ts';
import { ServiceError } from '../../platform/errors.ts';
import { isOfForeignSite } from './passkeyOrigin.ts';

/** Where signatures are checked, and the site that passkeys must have signed on. */
export type SignatureDeps = { chain: Chain; config: { publicBaseUrl: string } };

const ECDSA_HEX_LENGTH = 2 + 65 * 2;

/** Whether a plain wallet made this signature. Needs no chain. */
async function isEcdsaBy(address: Address, hash: Hex, signature: Hex): Promise<boolean> {
  if (!isHex(signature) || signature.length !== ECDSA_HEX_LENGTH) return false;
  try {
    return isAddressEqual(await recoverAddress({ hash, signature }), address);
  } catch {
    return false;
  }
}

function isTransportFailure(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    error.walk(
      (cause) =>
        cause instanceof HttpRequestError ||
        cause instanceof TimeoutError ||
        (cause instanceof RpcRequestError && cause.code === -32_005),
    ) !== null
  );
}

/**
 * Whether `address` signed `hash`: a plain wallet by ECDSA, a smart wallet by ERC-1271, an
 * undeployed one by ERC-6492; a passkey on our own site only.
 *
 * @throws {ServiceError} `chain_unavailable` when a smart wallet's contract cannot be called
 */
async function verifyWalletHash(
  { chain, config }: SignatureDeps,
  input: { address: Address; hash: Hex; signature: Hex },
): Promise<boolean> {
  if (await isEcdsaBy(input.address, input.hash, input.signature)) return true;
  if (isOfForeignSite(input.signature, config.publicBaseUrl)) return false;
  try {
    return await chain.client.verifyHash(input);
  } catch (cause) {
    if (!isTransportFailure(cause)) return false;
    throw new ServiceError(
      'chain_unavailable',
      'Smart wallet signatures cannot be verified right now. Try again in a moment.',
      { cause, retryAfterSeconds: 2 },
    );
  }
}

export function verifyWalletMessage(
  deps: SignatureDeps,
  input: { address: Address; message: string; signature: Hex },
): Promise<boolean> {
  const { address, signature } = input;
  return verifyWalletHash(deps, { address, hash: hashMessage(input.message), signature });
}

export function verifyWalletTypedData(
  deps: SignatureDeps,
  input: { address: Address; typedData: TypedDataDefinition; signature: Hex },
): Promise<boolean> {
  const { address, signature } = input;
  return verifyWalletHash(deps, { address, hash: hashTypedData(input.typedData), signature });
}
