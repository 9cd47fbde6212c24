import { createIpMatcher, normalizeIp } from '../../platform/network/ipAddress.ts';

const REGION = /^[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?$/;
/** Proxies' values for an unknown country. */
const UNKNOWN = new Set(['XX', 'T1', 'ZZ']);

export type RegionReader = (request: {
  /** The address of the connection itself. */
  peer: string | undefined;
  header(name: string): string | undefined;
}) => string | undefined;

/**
 * The region of a request, as our own proxy reports it. Any client can send the header, so it
 * counts only on connections from our proxies.
 */
export function regionReader(
  header: string | undefined,
  trustedProxies: readonly string[],
): RegionReader {
  if (header === undefined) return () => undefined;
  const isOurs = createIpMatcher(trustedProxies);
  return (request) => {
    if (!isOurs(normalizeIp(request.peer ?? '') ?? '')) return undefined;
    const region = request.header(header)?.trim() ?? '';
    if (!REGION.test(region) || UNKNOWN.has(region.toUpperCase())) return undefined;
    return region.toUpperCase();
  };
}
