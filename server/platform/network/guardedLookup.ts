import type { LookupAddress, LookupOptions } from 'node:dns';
import { callbackify } from 'node:util';
import type { HostResolver } from './hostResolver.ts';

/** A name leads to an address that must not be connected to. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

type LookupCallback = (
  error: Error | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * For the `lookup` of a request: resolves a name and refuses it unless every address it has is
 * allowed, at the moment of connecting.
 */
export function guardedLookup(resolveHost: HostResolver, isAllowed: (address: string) => boolean) {
  const resolveAllowed = callbackify(async (host: string) => {
    const found = await resolveHost(host);
    const [first] = found;
    if (!first || !found.every(({ address }) => isAllowed(address))) {
      throw new ForbiddenAddressError();
    }
    return { first, found };
  });
  return (host: string, options: LookupOptions, callback: LookupCallback): void =>
    resolveAllowed(host, (error, resolved) => {
      if (error) callback(error, '');
      else if (options.all) callback(null, resolved.found);
      else callback(null, resolved.first.address, resolved.first.family);
    });
}
