import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The eight groups of an IPv6 address in the form of `URL`. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const first = numbers(head);
  const last = tail === undefined ? [] : numbers(tail);
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}

function ipv4OfMapped(groups: readonly number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return undefined;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/**
 * The address in its shortest form, for comparison: IPv4 mapped into IPv6 as IPv4, without a zone.
 * Undefined for other texts.
 */
export function normalizeIp(text: string): string | undefined {
  const [address = ''] = text.trim().split('%', 1);
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
  return ipv4OfMapped(groupsOf(shortest)) ?? shortest;
}

/**
 * The network of one subscriber: an IPv4 address, or the /64 of an IPv6 address, whose 2^64
 * addresses belong to one subscriber.
 */
export function subscriberNetwork(ip: string): string {
  const address = normalizeIp(ip);
  if (address === undefined || isIPv4(address)) return address ?? ip;
  const prefix = groupsOf(address).slice(0, 4);
  return `${prefix.map((group) => group.toString(16)).join(':')}::/64`;
}

/** Whether an address is in any of the ranges: single addresses or CIDR, IPv4 and IPv6. */
export function createIpMatcher(ranges: readonly string[]): (ip: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    const family = isIPv4(network) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(prefix), family);
  }
  return (ip) => {
    const address = normalizeIp(ip);
    if (address === undefined) return false;
    return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  };
}

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
/** The only part of IPv6 that is allocated for the public internet. */
const PUBLIC_IPV6 = ['2000::/3'];

/** Whether an address is this machine's own. */
export const isLoopbackAddress = createIpMatcher(['127.0.0.0/8', '::1']);

const isNotPublic = createIpMatcher(NOT_PUBLIC);
const isPublicIpv6 = createIpMatcher(PUBLIC_IPV6);
const isIpv4 = createIpMatcher(['0.0.0.0/0']);

/** Whether an address is on the public internet; false for other texts. */
export function isPublicAddress(address: string): boolean {
  return !isNotPublic(address) && (isIpv4(address) || isPublicIpv6(address));
}
