import type { Address } from 'viem';

/**
 * The EIP-712 domain of a smart account: a signature for one account is invalid for every other.
 */
export const accountDomain = (chainId: number, account: Address) => ({
  name: 'Crossbook Account',
  version: '1',
  chainId,
  verifyingContract: account,
});

/** The same domain in the form that wallets expect. */
export const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const;
