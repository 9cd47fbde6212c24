import type { Address } from 'viem';

/** The address of a name, and where it is recorded. */
export type NamedAddress = { address: Address; source: 'chain' | 'ethereum' | 'sandbox' };

/** A source of names. Names are normalised; addresses checksummed. */
export type NameSource = {
  /** Undefined for a name without an address. @throws when the look-up fails */
  resolve(name: string): Promise<NamedAddress | undefined>;
  /** The primary name of an address, which resolves back to it. @throws like `resolve` */
  nameOf(address: Address): Promise<string | undefined>;
};
