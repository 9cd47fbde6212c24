import type { LookupAddress, LookupOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { callbackify } from 'node:util';

/**
 * Resolves host names from untrusted input. `dns.lookup` runs on the few threads that the whole
 * process shares, and cannot be cancelled: two dozen names whose servers do not respond block every
 * other lookup for a minute. Here each name has a socket of its own and a timeout.
 */
export type HostResolver = (host: string) => Promise<LookupAddress[]>;

/** The name has no address, or its server did not respond in time. */
export class UnresolvedHostError extends Error {
  override readonly name = 'UnresolvedHostError';
}

const TIMEOUT_MS = 3_000;
/** The first try; later ones wait longer, up to the timeout. */
const TRY_MS = 800;
const TRIES = 3;
/** Above the number of messages that one process sends at once, so that none is refused. */
const MAX_AT_ONCE = 256;

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Ignores the hosts file, except that `localhost` is this machine (RFC 6761), and the machine's
 * search domains.
 * @param options.servers addresses of name servers; empty for those of the machine
 */
export function createHostResolver(options: { servers: readonly string[] }): HostResolver {
  let underWay = 0;
  return async (host) => {
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family }];
    if (/(^|\.)localhost\.?$/i.test(host)) return LOOPBACK;
    if (underWay >= MAX_AT_ONCE) throw new UnresolvedHostError('too many names at once');
    underWay += 1;
    try {
      return await ask(host, options.servers);
    } finally {
      underWay -= 1;
    }
  };
}

/** Each name has its own resolver, because cancelling one cancels all its requests. */
async function ask(host: string, servers: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const overtime = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
  try {
    const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = results.flatMap((result) =>
      result.status === 'fulfilled'
        ? result.value.map((address) => ({ address, family: isIP(address) }))
        : [],
    );
    if (found.length > 0) return found;
    const cause: unknown = results[0].status === 'rejected' ? results[0].reason : undefined;
    throw new UnresolvedHostError(`${host} has no address`, { cause });
  } finally {
    clearTimeout(overtime);
  }
}

/** A name resolves to a forbidden address. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

type LookupCallback = (
  error: Error | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * A `lookup` for requests: resolves a name when connecting, and rejects it unless all its addresses
 * are allowed.
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
