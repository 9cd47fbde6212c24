import { describe, expect, it } from 'vitest';
import { createIpMatcher, normalizeIp, subscriberNetwork } from './ipAddress.ts';

describe('an address in its normal form', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['2001:0DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
    ['::', '::'],
  ])('%s is %s', (text, expected) => {
    expect(normalizeIp(text)).toBe(expected);
  });

  it.each(['', 'localhost', '1.2.3', '256.1.1.1', '0x7f.1', '1.2.3.4, 5.6.7.8', ':::', '1::2::3'])(
    '%s is none',
    (text) => {
      expect(normalizeIp(text)).toBeUndefined();
    },
  );
});

it('counts the addresses of one IPv6 subscriber as one', () => {
  const networks = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'].map(subscriberNetwork);
  expect(new Set(networks)).toEqual(new Set(['2001:db8:1:2::/64']));
  expect(subscriberNetwork('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
  expect(subscriberNetwork('::ffff:10.0.0.1')).toBe('10.0.0.1');
});

describe('ranges', () => {
  it.each([
    [['203.0.113.0/24'], '203.0.113.255', true],
    [['203.0.113.0/24'], '203.0.114.0', false],
    [['203.0.113.7'], '::ffff:203.0.113.7', true],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['::1'], '127.0.0.1', false],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['10.0.0.0/8', '::/0'], '2001:db8::1', true],
    [['0.0.0.0/0'], 'unknown', false],
    [[], '203.0.113.7', false],
  ])('%j holds %s: %s', (ranges, ip, expected) => {
    expect(createIpMatcher(ranges)(ip)).toBe(expected);
  });
});
