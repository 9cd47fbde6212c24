import type { Address } from 'viem';

/** Whom a name stands for, and where that is recorded. */
export type NamedAddress = { address: Address; source: 'chain' | 'ethereum' | 'sandbox' };

/** Where names are looked up. Names come normalised; addresses checksummed. */
export type NameSource = {
  /** Undefined for a name without an address. @throws when it cannot be found out */
  resolve(name: string): Promise<NamedAddress | undefined>;
  /** The name that an address goes by and that leads back to it. @throws like `resolve` */
  nameOf(address: Address): Promise<string | undefined>;
};
