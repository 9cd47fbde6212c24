import { type Address, getContractAddress } from 'viem';

/**
 * The contracts that a vault deploys itself, in its constructor and in this order. Their addresses
 * follow from the vault's, so that no process needs the chain, or another setting, to know them.
 */
export function vaultCreations(vault: Address): { outcomeToken: Address; settlement: Address } {
  return {
    outcomeToken: getContractAddress({ from: vault, nonce: 1n }),
    settlement: getContractAddress({ from: vault, nonce: 2n }),
  };
}
