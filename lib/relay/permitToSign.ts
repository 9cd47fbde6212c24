import type { Address } from 'viem';
import { DOMAIN_FIELDS } from '#lib/account/accountDomain.ts';

/** EIP-2612, as USDC implements it. */
const PERMIT_FIELDS = [
  { name: 'owner', type: 'address' },
  { name: 'spender', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'nonce', type: 'uint256' },
  { name: 'deadline', type: 'uint256' },
] as const;

/** What the owner signs, with numbers as strings, as JSON carries them. */
export type PermitMessage = {
  owner: string;
  /** The account factory, which moves USDC to the owner's account only. */
  spender: string;
  /** USDC micros. */
  value: string;
  /** The wallet's sequence at USDC. */
  nonce: string;
  /** Unix seconds; valid until this second. */
  deadline: string;
};

/** The EIP-712 data of a permit that lets the factory deposit USDC, for anyone to send. */
export function permitTypedData(chainId: number, usdc: Address, message: PermitMessage) {
  return {
    domain: { name: 'USD Coin', version: '2', chainId, verifyingContract: usdc },
    types: { EIP712Domain: [...DOMAIN_FIELDS], Permit: [...PERMIT_FIELDS] },
    primaryType: 'Permit' as const,
    message,
  };
}
