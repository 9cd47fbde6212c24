/** An id (a UUID of version 8) derived from a hash. */
export function uuidOfHash(hash: `0x${string}`): string {
  const hex = hash.slice(2, 34);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
