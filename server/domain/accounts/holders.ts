import { type Address, isAddressEqual } from 'viem';
import type { AccountIdentity } from './accounts.ts';

/** The holders whose tokens belong to an address: an owner's include the smart account. */
export function holdersOf({ owner, account }: AccountIdentity, asked: string): Address[] {
  return isAddressEqual(asked as Address, account) ? [account] : [owner, account];
}
