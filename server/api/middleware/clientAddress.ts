import { createIpMatcher, normalizeIp } from '../../platform/network/ipAddress.ts';

/** Who sent a request, from its connection and its header `X-Forwarded-For`. */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string;

const MOST_PEERS = 10_000;

/**
 * The address a request really came from. Anybody can write `X-Forwarded-For`, so it counts only
 * as far as proxies of our own have written it: from the right, up to the first address that is
 * none of theirs.
 *
 * @param trustedProxies addresses and CIDR ranges of our own proxies
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isOurs = createIpMatcher(trustedProxies);
  const known = new Map<string, { from: string; isOurs: boolean }>();
  // A connection sends many requests, and its peer is looked at with each.
  const peerOf = (peer: string) => {
    const found = known.get(peer);
    if (found) return found;
    const from = normalizeIp(peer) ?? 'unknown';
    if (known.size >= MOST_PEERS) known.clear();
    const made = { from, isOurs: isOurs(from) };
    known.set(peer, made);
    return made;
  };
  return (peer, forwardedFor) => {
    const { from, isOurs: isProxy } = peerOf(peer ?? '');
    if (!isProxy) return from;
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
