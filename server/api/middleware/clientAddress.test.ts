import { describe, expect, it } from 'vitest';
import { clientAddress } from './clientAddress.ts';

describe('the address of a client', () => {
  it.each([
    ['no proxy is trusted', [], '203.0.113.1', '10.0.0.1', '203.0.113.1'],
    ['the peer is no proxy of ours', ['10.0.0.0/8'], '203.0.113.1', '1.2.3.4', '203.0.113.1'],
    ['one proxy', ['10.0.0.0/8'], '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
    [
      'what the client wrote itself',
      ['10.0.0.1'],
      '10.0.0.1',
      '1.1.1.1, 198.51.100.7',
      '198.51.100.7',
    ],
    ['two proxies', ['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 198.51.100.7, 10.0.0.2', '198.51.100.7'],
    ['IPv6', ['fd00::/8'], 'fd00::1', '2001:DB8::1', '2001:db8::1'],
    ['what is no address', ['10.0.0.1'], '10.0.0.1', '198.51.100.7, unknown', '10.0.0.1'],
    ['no header', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
    ['only proxies', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['no peer', ['10.0.0.0/8'], undefined, '198.51.100.7', 'unknown'],
  ])('%s', (_, proxies, peer, header, expected) => {
    expect(clientAddress(proxies)(peer, header)).toBe(expected);
  });
});
