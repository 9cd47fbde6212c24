import { checksumAddress, type Hex } from 'viem';

/** In mixed case the letters are a checksum (EIP-55), which reveals a mistyped address. */
export function hasValidChecksum(address: string): boolean {
  const digits = address.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return checksumAddress(address as Hex) === address;
}
