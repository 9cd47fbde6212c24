/** "0x12ab…89ef": enough of an address or hash to recognise it; never to compare it. */
export function shortHex(hex: string): string {
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

/** The address in groups of four, for checking a destination. */
export function groupedHex(hex: string): string {
  return `0x ${
    hex
      .slice(2)
      .match(/.{1,4}/g)
      ?.join(' ') ?? ''
  }`;
}

/** Addresses are equal regardless of letter case. */
export function sameAddress(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a.toLowerCase() === b.toLowerCase();
}
