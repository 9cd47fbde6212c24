import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/**
 * Resolves host names from untrusted input. `dns.lookup` runs on the few threads that the whole
 * process shares, and cannot be cancelled: two dozen names whose servers do not respond block every
 * other lookup for a minute. Here each name has a socket of its own and a timeout.
 */
export type HostResolver = (host: string) => Promise<LookupAddress[]>;

/** The name has no address, or none within the timeout. */
export class UnresolvedHostError extends Error {
  override readonly name = 'UnresolvedHostError';
}

const TIMEOUT_MS = 3_000;
/** The first try; further ones wait longer, until the name is given up. */
const TRY_MS = 800;
const TRIES = 3;
/** Above what one process sends at once, so that no sender waits for another's name. */
const MAX_AT_ONCE = 256;

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * The hosts file is not read, except that `localhost` is this machine (RFC 6761), and a name is
 * asked for as it is, without the machine's search domains.
 * @param options.servers addresses of name servers; those of the machine when there are none
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

/** A resolver for each name: cancelling one cancels all that it was asked. */
async function ask(host: string, servers: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const overtime = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
  try {
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(host),
      resolver.resolve6(host),
    ]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    const cause: unknown = four.status === 'rejected' ? four.reason : undefined;
    throw new UnresolvedHostError(`${host} has no address`, { cause });
  } finally {
    clearTimeout(overtime);
  }
}
