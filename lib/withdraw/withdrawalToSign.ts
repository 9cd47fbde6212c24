import { type Address, type Hex, keccak256, pad, stringToBytes } from 'viem';
import { accountDomain, DOMAIN_FIELDS } from '#lib/account/accountDomain.ts';
import { uuidOfHash } from '#lib/uuidOfHash.ts';

/** The struct of contracts/src/TradingAccount.sol that owners sign. */
const WITHDRAWAL_FIELDS = [
  { name: 'token', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'amount', type: 'uint256' },
  { name: 'to', type: 'address' },
  { name: 'ref', type: 'bytes32' },
  { name: 'deadline', type: 'uint256' },
] as const;

/** The longest allowed deadline: time to compare and to collect several signatures. */
export const MAX_DEADLINE_SECONDS = 86_400;
/** The time left must be enough to put the withdrawal on chain. */
export const MIN_DEADLINE_SECONDS = 30;
/** The withdrawal proposed to the owner. */
export const USUAL_DEADLINE_SECONDS = 3_600;

/** One withdrawal as its owner signs it. */
export type WithdrawalToSign = {
  chainId: number;
  account: Address;
  token: Address;
  /** 0 for USDC. */
  tokenId: bigint;
  amountMicros: bigint;
  to: Address;
  clientId: string;
  /** Unix seconds. */
  deadlineSeconds: number;
};

/**
 * The order id (a UUID of version 8) of a withdrawal that its owner signs. It is derived from the
 * account and the client id, so that a signature is valid for one order only.
 */
export function signedWithdrawalId(account: Address, clientId: string): string {
  return uuidOfHash(
    keccak256(stringToBytes(`crossbook withdrawal\n${account.toLowerCase()}\n${clientId}`)),
  );
}

/** The account rejects a used reference, so one order is paid out at most once. */
export function withdrawalRefOf(intentId: string): Hex {
  return pad(`0x${intentId.replaceAll('-', '')}`, { size: 32 });
}

/** EIP-712 data of a withdrawal, with its numbers as strings, as JSON carries them. */
export function withdrawalTypedData(withdrawal: WithdrawalToSign) {
  const { chainId, account, token, to, clientId } = withdrawal;
  return {
    domain: accountDomain(chainId, account),
    types: { EIP712Domain: [...DOMAIN_FIELDS], Withdrawal: [...WITHDRAWAL_FIELDS] },
    primaryType: 'Withdrawal' as const,
    message: {
      token,
      tokenId: withdrawal.tokenId.toString(),
      amount: withdrawal.amountMicros.toString(),
      to,
      ref: withdrawalRefOf(signedWithdrawalId(account, clientId)),
      deadline: withdrawal.deadlineSeconds.toString(),
    },
  };
}

/** The same data as viem hashes it. */
export function withdrawalToHash(withdrawal: WithdrawalToSign) {
  const { domain, primaryType, message } = withdrawalTypedData(withdrawal);
  return {
    domain,
    types: { Withdrawal: WITHDRAWAL_FIELDS },
    primaryType,
    message: {
      ...message,
      tokenId: withdrawal.tokenId,
      amount: withdrawal.amountMicros,
      deadline: BigInt(withdrawal.deadlineSeconds),
    },
  };
}
