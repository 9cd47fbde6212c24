import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Addresses of the network layer, in the one form in which they are compared. */

/** The eight groups of an IPv6 address, from the form in which URL writes it. */
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
 * The address in its shortest form, an IPv4 address mapped into IPv6 as IPv4, without a zone;
 * undefined for what is no address.
 */
export function normalizeIp(text: string): string | undefined {
  const [address = ''] = text.trim().split('%', 1);
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return undefined;
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
  return ipv4OfMapped(groupsOf(shortest)) ?? shortest;
}

/**
 * The network of one subscriber: a single IPv4 address, or the /64 of an IPv6 address, within which
 * a subscriber can choose from 2^64 addresses.
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
