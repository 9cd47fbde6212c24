import { LRUCache } from 'lru-cache';
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
  // A connection sends many requests, and its peer is looked at with each.
  const peers = new LRUCache<string, { from: string; isOurs: boolean }>({
    max: MOST_PEERS,
    memoMethod(peer) {
      const from = normalizeIp(peer) ?? 'unknown';
      return { from, isOurs: isOurs(from) };
    },
  });
  return (peer, forwardedFor) => {
    const { from, isOurs: isProxy } = peers.memo(peer ?? '');
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
