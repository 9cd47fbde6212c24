import { LRUCache } from 'lru-cache';
import { createIpMatcher, normalizeIp } from '../../platform/network/ipAddress.ts';

/** The sender of a request, from its connection and `X-Forwarded-For`. */
export type ClientAddress = (peer: string | undefined, forwardedFor: string | undefined) => string;

const MOST_PEERS = 10_000;

/**
 * Anyone can send `X-Forwarded-For`, so only entries that our own proxies wrote count: from the
 * right, up to the first address that is not a proxy.
 * @param trustedProxies addresses and CIDR ranges of our own proxies
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isOurs = createIpMatcher(trustedProxies);
  // A connection sends many requests from one peer.
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
