import { type Address, type Hex, parseSignature } from 'viem';
import { DOMAIN_FIELDS } from '#lib/account/accountDomain.ts';

/** EIP-3009, as USDC implements it. */
const AUTHORISATION_FIELDS = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const;

/** The smallest deposit whose network fee the service pays: one dollar. */
export const MIN_DEPOSIT_MICROS = 1_000_000n;

/** What the owner signs, with numbers as strings, as JSON carries them. */
export type DepositMessage = {
  from: string;
  to: string;
  /** USDC micros. */
  value: string;
  /** Unix seconds; valid after this second. */
  validAfter: string;
  /** Unix seconds; valid before this second. */
  validBefore: string;
  /** 32 random bytes; USDC takes each once. */
  nonce: string;
};

/** The EIP-712 data of one transfer of USDC from the wallet, for anyone to send. */
export function depositTypedData(chainId: number, usdc: Address, message: DepositMessage) {
  return {
    domain: domainOf(chainId, usdc),
    types: {
      EIP712Domain: [...DOMAIN_FIELDS],
      TransferWithAuthorization: [...AUTHORISATION_FIELDS],
    },
    primaryType: 'TransferWithAuthorization' as const,
    message,
  };
}

/**
 * The same for the account alone to take, within a batch: no stranger can send it first, which would
 * fail the batch.
 */
export function receiveTypedData(chainId: number, usdc: Address, message: DepositMessage) {
  return {
    domain: domainOf(chainId, usdc),
    types: {
      EIP712Domain: [...DOMAIN_FIELDS],
      ReceiveWithAuthorization: [...AUTHORISATION_FIELDS],
    },
    primaryType: 'ReceiveWithAuthorization' as const,
    message,
  };
}

const domainOf = (chainId: number, usdc: Address) => ({
  name: 'USD Coin',
  version: '2',
  chainId,
  verifyingContract: usdc,
});

/** The arguments with which USDC takes a signed transfer, from anyone or from the payee alone. */
export function signedTransferArgs(message: DepositMessage, signature: Hex) {
  const { from, to, value, validAfter, validBefore, nonce } = message;
  const { r, s, yParity } = parseSignature(signature);
  return [
    from as Address,
    to as Address,
    BigInt(value),
    BigInt(validAfter),
    BigInt(validBefore),
    nonce as Hex,
    yParity + 27,
    r,
    s,
  ] as const;
}
