import { type Address, type Hex, isErc6492Signature, parseErc6492Signature } from 'viem';
import {
  MAX_DEADLINE_SECONDS,
  MIN_DEADLINE_SECONDS,
  type WithdrawalToSign,
  withdrawalToHash,
} from '#lib/withdraw/withdrawalToSign.ts';
import { type Chain, isDeployed } from '#server/chain/client.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { fromChain } from '../../accounts/accounts.ts';
import { verifyWalletTypedData } from '../../auth/walletSignature.ts';

/**
 * Verifies the owner's signature over this withdrawal.
 *
 * @returns the signature to submit on chain; of one that also deploys its wallet (ERC-6492), the
 *   inner signature, because the wallet must be deployed by now
 * @throws {ServiceError} withdrawal_signature_invalid, chain_unavailable
 */
export async function checkSignature(
  chain: Chain,
  given: { owner: Address; toSign: WithdrawalToSign; signature: Hex },
): Promise<Hex> {
  const { owner } = given;
  const isWrapped = isErc6492Signature(given.signature);
  const signature = isWrapped ? parseErc6492Signature(given.signature).signature : given.signature;
  if (isWrapped && !(await fromChain(() => isDeployed(chain, owner)))) {
    throw new ServiceError(
      'withdrawal_signature_invalid',
      'Your smart wallet is not deployed, so its signature cannot be verified. Deploy it first. No funds moved.',
      { errors: [{ pointer: '/signature', detail: 'is by a wallet that is not deployed' }] },
    );
  }
  const typedData = withdrawalToHash(given.toSign);
  if (await verifyWalletTypedData(chain, { address: owner, typedData, signature }))
    return signature;
  throw new ServiceError(
    'withdrawal_signature_invalid',
    'The signature is not the account owner’s for this withdrawal. Sign what POST /v1/order/withdraw/typed-data returns. No funds moved.',
    { errors: [{ pointer: '/signature', detail: 'is not the owner’s for this withdrawal' }] },
  );
}

/** @throws {ServiceError} deadline_not_allowed */
export function requireDeadline(deadline: number): void {
  const secondsAhead = deadline - Date.now() / 1_000;
  if (secondsAhead >= MIN_DEADLINE_SECONDS && secondsAhead <= MAX_DEADLINE_SECONDS) return;
  throw new ServiceError(
    'deadline_not_allowed',
    'The deadline must be 30 seconds to 24 hours from now. No funds moved.',
    { errors: [{ pointer: '/deadline', detail: 'must be 30 seconds to 24 hours from now' }] },
  );
}
