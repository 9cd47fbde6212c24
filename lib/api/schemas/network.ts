import { z } from 'zod';

/** IP addresses and ranges as a key's owner enters them. */

export const ipRangeSchema = z
  .union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
    error: 'must be an IP address or a range such as 203.0.113.0/24 or 2001:db8::/32',
  })
  .meta({
    id: 'IpRange',
    description: 'An IPv4 or IPv6 address, or a range in CIDR notation.',
    example: '203.0.113.0/24',
    override: { type: 'string', anyOf: undefined },
  });

/** The Origin header of a browser: a scheme and a host, without a path. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

export const originSchema = z
  .string()
  .max(255)
  .refine(isOrigin, 'must be an origin such as https://app.example.com')
  .meta({
    id: 'Origin',
    description: 'Scheme, host and port of a page, as its browser sends them.',
    example: 'https://app.example.com',
  });
