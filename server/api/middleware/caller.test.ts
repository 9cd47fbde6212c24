import { expect, it } from 'vitest';
import { callerName as callerOf } from './caller.ts';

const key = (id: string, kind: 'test' | 'pub') => ({
  id,
  kind,
  scopes: [],
  origins: [],
  ipRanges: [],
  ownerAddress: null,
});

const callerName = (apiKey: Parameters<typeof callerOf>[0], ip: string) => callerOf(apiKey, { ip });

it('a caller with many addresses is one caller', () => {
  const secret = key('key_1', 'test');
  expect(callerName(secret, '203.0.113.1')).toBe(callerName(secret, '203.0.113.2'));
  const ipv6 = ['2001:db8::1', '2001:db8::ffff', '2001:DB8:0:0:1:2:3:4'];
  expect(new Set(ipv6.map((ip) => callerName(undefined, ip))).size).toBe(1);
  expect(new Set(ipv6.map((ip) => callerName(key('key_p', 'pub'), ip))).size).toBe(1);
  expect(callerName(undefined, '::ffff:203.0.113.1')).toBe(callerName(undefined, '203.0.113.1'));
});

it('visitors of our pages do not use up each other’s quota', () => {
  const page = key('key_p', 'pub');
  expect(callerName(page, '203.0.113.1')).not.toBe(callerName(page, '203.0.113.2'));
});
