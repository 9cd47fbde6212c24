import type { Address } from 'viem';

/** The EIP-712 domain of a smart account: what is signed for one account counts for no other. */
export const accountDomain = (chainId: number, account: Address) => ({
  name: 'Crossbook Account',
  version: '1',
  chainId,
  verifyingContract: account,
});

/** The same as wallets want it described. */
export const DOMAIN_FIELDS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
] as const;
