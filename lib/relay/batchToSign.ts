import type { Address } from 'viem';
import { accountDomain, DOMAIN_FIELDS } from '#lib/account/accountDomain.ts';
import { passkeyWalletDomain } from '#lib/passkey/passkeyWallet.ts';

/** The structs of contracts/src/TradingAccount.sol that owners sign. */
const CALL_FIELDS = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
] as const;
const BATCH_FIELDS = [
  { name: 'calls', type: 'Call[]' },
  { name: 'gas', type: 'uint256' },
  { name: 'nonce', type: 'uint64' },
  { name: 'deadline', type: 'uint256' },
] as const;

/**
 * The least gas that a batch's calls get, whoever sends it: enough for a redemption, which keeps a
 * reserve of some 700,000. What is not used costs nothing.
 */
export const BATCH_GAS = 1_000_000;
/** The most gas that a batch may ask for. */
export const MAX_BATCH_GAS = 2_000_000;
/** The longest allowed deadline, so that a batch that was not sent ends soon. */
export const MAX_BATCH_SECONDS = 3_600;
/** The time left must be enough to put the batch on chain. */
export const MIN_BATCH_SECONDS = 30;
/** The deadline proposed to the owner. */
export const USUAL_BATCH_SECONDS = 900;

/** What the owner signs, with numbers as strings, as JSON carries them. */
export type BatchMessage = {
  calls: { to: string; value: string; data: string }[];
  gas: string;
  nonce: string;
  /** Unix seconds. */
  deadline: string;
};

/** The EIP-712 data of a batch that anyone may send for the account. */
export function batchTypedData(chainId: number, account: Address, message: BatchMessage) {
  return typedDataIn(accountDomain(chainId, account), message);
}

/** The EIP-712 data of a batch of calls that a passkey's wallet makes itself. */
export function walletBatchTypedData(chainId: number, wallet: Address, message: BatchMessage) {
  return typedDataIn(passkeyWalletDomain(chainId, wallet), message);
}

function typedDataIn(domain: ReturnType<typeof accountDomain>, message: BatchMessage) {
  return {
    domain,
    types: { EIP712Domain: [...DOMAIN_FIELDS], Call: [...CALL_FIELDS], Batch: [...BATCH_FIELDS] },
    primaryType: 'Batch' as const,
    message,
  };
}
