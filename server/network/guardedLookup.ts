import type { LookupAddress, LookupOptions } from 'node:dns';
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
  return (host: string, options: LookupOptions, callback: LookupCallback): void => {
    resolveHost(host).then(
      (found) => {
        const [first] = found;
        if (!first || !found.every(({ address }) => isAllowed(address))) {
          return callback(new ForbiddenAddressError(), '');
        }
        if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}
