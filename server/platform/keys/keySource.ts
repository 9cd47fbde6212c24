/** Where a private key is: with us, or with a key service that signs for us. */
export type KeySource<Local extends string = string> =
  | { kind: 'local'; value: Local }
  | { kind: 'service'; keyId: string };

/** What stands in front of the id of a key that a key service holds. */
const SERVICE_PREFIX = 'kms:';

/** The id of a key at the key service; undefined for anything else, e.g. a key itself. */
export function serviceKeyId(text: string): string | undefined {
  if (!text.startsWith(SERVICE_PREFIX)) return undefined;
  const id = text.slice(SERVICE_PREFIX.length).trim();
  return id === '' ? undefined : id;
}
