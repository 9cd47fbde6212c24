import { type Address, isAddressEqual } from 'viem';
import type { AccountIdentity } from './accounts.ts';

/** Whose tokens are shown for an address: for an owner those of the smart account are included. */
export function holdersOf({ owner, account }: AccountIdentity, asked: string): Address[] {
  return isAddressEqual(asked as Address, account) ? [account] : [owner, account];
}
