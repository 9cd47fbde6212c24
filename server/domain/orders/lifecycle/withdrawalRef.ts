import type { Hex } from 'viem';

/** The order id that a reference encodes, if it can be ours. */
export function orderIdOfWithdrawalRef(reference: Hex): string | undefined {
  return /^0x0{32}[0-9a-f]{32}$/i.test(reference) ? uuidOf(BigInt(reference)) : undefined;
}

/** Formats a UUID from its 128 bits, as references and salts carry it. */
export function uuidOf(bits: bigint): string {
  const hex = bits.toString(16).padStart(32, '0');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
