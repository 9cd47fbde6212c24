import { lookup as lookupAddress } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ServiceError } from '../errors.ts';
import { createIpMatcher } from '../network/ipAddress.ts';

/**
 * Where messages may go. A target is chosen by a caller, so it must never lead into our own
 * network: its name is judged when the webhook is made, and what the name resolves to is judged
 * again for every connection, because that can change in between.
 */

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** Not the public internet: IANA's special-purpose registries, and IPv6 that carries IPv4. */
const NOT_PUBLIC = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
];
/** The only part of IPv6 that is given out for the public internet. */
const PUBLIC_IPV6 = ['2000::/3'];

const isLoopback = createIpMatcher(LOOPBACK);
const isNotPublic = createIpMatcher(NOT_PUBLIC);
const isPublicIpv6 = createIpMatcher(PUBLIC_IPV6);
const isIpv4 = createIpMatcher(['0.0.0.0/0']);

export type TargetPolicy = {
  /** On a sandbox: this machine, and http. */
  allowLocal: boolean;
};

/** Whether a connection to this address is allowed. */
export function isAllowedAddress(address: string, policy: TargetPolicy): boolean {
  if (isLoopback(address)) return policy.allowLocal;
  if (isNotPublic(address)) return false;
  return isIpv4(address) || isPublicIpv6(address);
}

const refused = (detail: string, cause?: unknown) =>
  new ServiceError('target_not_allowed', `Nothing can be sent there: the address ${detail}.`, {
    errors: [{ pointer: '/url', detail }],
    cause,
  });

/** The parts of a target that need no network. @throws {ServiceError} target_not_allowed */
export function parseTarget(text: string, policy: TargetPolicy): URL {
  const url = URL.parse(text);
  if (!url) throw refused('must be a URL');
  const schemes = policy.allowLocal ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) throw refused('must begin with https://');
  if (url.username !== '' || url.password !== '') throw refused('must not hold credentials');
  return url;
}

/** Host of a URL without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * Whether messages may be sent there, as far as can be told now; answers the URL in the form in
 * which it is stored. @throws {ServiceError} target_not_allowed
 */
export async function requireAllowedTarget(text: string, policy: TargetPolicy): Promise<string> {
  const url = parseTarget(text, policy);
  const host = hostOf(url);
  const addresses = isIP(host) ? [host] : await resolve(host);
  if (!addresses.every((address) => isAllowedAddress(address, policy))) {
    throw refused('must be on the public internet');
  }
  return url.href;
}

async function resolve(host: string): Promise<string[]> {
  try {
    const found = await lookupAddress(host, { all: true });
    return found.map(({ address }) => address);
  } catch (cause) {
    throw refused('has a name that cannot be resolved', cause);
  }
}
