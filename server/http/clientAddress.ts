import { createIpMatcher, normalizeIp } from '../network/ipAddress.ts';

/** Who sent a request, from its connection and its header `X-Forwarded-For`. */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string;

/**
 * The address a request really came from. Anybody can write `X-Forwarded-For`, so it counts only
 * as far as proxies of our own have written it: from the right, up to the first address that is
 * none of theirs.
 *
 * @param trustedProxies addresses and CIDR ranges of our own proxies
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isOurs = createIpMatcher(trustedProxies);
  return (peer, forwardedFor) => {
    const from = normalizeIp(peer ?? '') ?? 'unknown';
    if (!isOurs(from)) return from;
    let client = from;
    for (const entry of (forwardedFor ?? '').split(',').reverse()) {
      const address = normalizeIp(entry);
      if (address === undefined) return client;
      client = address;
      if (!isOurs(address)) return client;
    }
    return client;
  };
}
