import { createIpMatcher } from './ipAddress.ts';

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

/** Whether an address is this machine's own. */
export const isLoopbackAddress = createIpMatcher(['127.0.0.0/8', '::1']);

const isNotPublic = createIpMatcher(NOT_PUBLIC);
const isPublicIpv6 = createIpMatcher(PUBLIC_IPV6);
const isIpv4 = createIpMatcher(['0.0.0.0/0']);

/** Whether an address is on the public internet; what is no address is not. */
export function isPublicAddress(address: string): boolean {
  return !isNotPublic(address) && (isIpv4(address) || isPublicIpv6(address));
}
