import { type Address, type Hex, pad, zeroHash } from 'viem';

/**
 * How the account numbers the kinds of a session key (`keyKind` and `sessionKeyKind` of
 * contracts/src/TradingAccount.sol). `removed` is for good, as long as the grant.
 */
export const KEY_KIND = { none: 0, p256: 1, secp256k1: 2, removed: 3 } as const;

/** The key that a permission names, as the account stores it. */
export type GrantKey = {
  /** One of `KEY_KIND`. */
  keyKind: number;
  /** P-256: the Keccak-256 hash of x and y. secp256k1: the address, padded to 32 bytes. */
  key: Hex;
};

/** A permission without a session key. */
export const NO_SESSION_KEY: GrantKey = { keyKind: KEY_KIND.none, key: zeroHash };

export function namesSessionKey({ keyKind }: Pick<GrantKey, 'keyKind'>): boolean {
  return keyKind !== KEY_KIND.none;
}

/** The key of a program, by its address. */
export function secp256k1Key(address: Address): GrantKey {
  return { keyKind: KEY_KIND.secp256k1, key: pad(address.toLowerCase() as Hex, { size: 32 }) };
}
