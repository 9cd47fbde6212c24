import type { ExchangeKey } from './accounts.ts';

/** Reads keys from JSON, in which amounts are decimal strings of micros. */
export function keysFromText(text: string): ExchangeKey[] {
  const parsed: unknown = JSON.parse(text);
  if (!Array.isArray(parsed)) throw new TypeError('keys must be a JSON array');
  return parsed.map((item: Record<string, unknown>) => ({
    keyId: String(item.keyId),
    publicKeyPem: String(item.publicKeyPem),
    balanceMicros: BigInt(String(item.balanceMicros)),
  }));
}

export function keysToText(keys: ExchangeKey[]): string {
  return JSON.stringify(
    keys.map((key) => ({ ...key, balanceMicros: key.balanceMicros.toString() })),
  );
}
