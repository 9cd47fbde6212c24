import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHostResolver } from '#server/platform/network/hostResolver.ts';
import { type NameServer, startNameServer } from '#server/platform/network/testing/nameServer.ts';
import {
  isAllowedAddress,
  parseTarget,
  requireAllowedTarget,
  type TargetPolicy,
} from './target.ts';

let nameServer: NameServer;
let INTERNET: TargetPolicy;
let SANDBOX: TargetPolicy;

beforeAll(async () => {
  nameServer = await startNameServer({
    'public.example': ['93.184.215.14'],
    'inner.example': ['10.0.0.1'],
    'mixed.example': ['93.184.215.14', '127.0.0.1'],
  });
  const resolveHost = createHostResolver({ servers: [nameServer.address] });
  INTERNET = { allowLocal: false, resolveHost };
  SANDBOX = { allowLocal: true, resolveHost };
});
afterAll(() => nameServer.close());

const PRIVATE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:169.254.169.254',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '2002:a00:1::1',
  '2001::1',
  '2001:db8::1',
  '::10.0.0.1',
  'not an address',
];

describe('an address', () => {
  it.each(PRIVATE)('%s is refused everywhere', (address) => {
    expect(isAllowedAddress(address, INTERNET)).toBe(false);
    expect(isAllowedAddress(address, SANDBOX)).toBe(false);
  });

  it.each(['127.0.0.1', '127.255.0.1', '::1', '::ffff:127.0.0.1'])(
    '%s is allowed on a sandbox only',
    (address) => {
      expect(isAllowedAddress(address, INTERNET)).toBe(false);
      expect(isAllowedAddress(address, SANDBOX)).toBe(true);
    },
  );

  it.each(['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:8.8.8.8'])(
    '%s is allowed',
    (address) => {
      expect(isAllowedAddress(address, INTERNET)).toBe(true);
    },
  );
});

describe('a target', () => {
  it.each([
    'http://example.com',
    'ftp://example.com',
    'file:///etc/passwd',
    'https://user:secret@example.com',
    'https://',
    'example.com',
    'javascript:alert(1)',
  ])('%s is refused', (url) => {
    expect(() => parseTarget(url, INTERNET)).toThrow(/target_not_allowed/);
  });

  // Every way to write 127.0.0.1, 10.0.0.1 and 169.254.169.254 that URL understands.
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://localhost/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://10.0.0.1/',
    'https://0xa000001/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[fd00:ec2::254]/',
    'https://①②⑦.⓪.⓪.①/',
    'https://inner.example/',
    'https://mixed.example/',
  ])('%s is refused', async (url) => {
    await expect(requireAllowedTarget(url, INTERNET)).rejects.toThrow(/target_not_allowed/);
  });

  it('on a sandbox, this machine is a target, and nothing else private is', async () => {
    await expect(requireAllowedTarget('http://127.0.0.1:9000/a?b=c', SANDBOX)).resolves.toBe(
      'http://127.0.0.1:9000/a?b=c',
    );
    await expect(requireAllowedTarget('http://10.0.0.1/', SANDBOX)).rejects.toThrow(
      /target_not_allowed/,
    );
  });

  it('a name with public addresses is accepted', async () => {
    await expect(requireAllowedTarget('https://public.example', INTERNET)).resolves.toBe(
      'https://public.example/',
    );
  });

  it('a name that does not resolve is refused', async () => {
    await expect(requireAllowedTarget('https://no-such-host.invalid/', INTERNET)).rejects.toThrow(
      /cannot be resolved/,
    );
  });
});
