import type { Address } from 'viem';
import { describe, expect, test } from 'vitest';
import { fixedNames } from './fixedNames.ts';
import { gatewayUrl } from './gatewayRequest.ts';
import { createNameService } from './nameService.ts';
import { createShortCache } from './shortCache.ts';
import type { NameSource } from './source.ts';

const ALICE: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BOB: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const local = fixedNames([{ name: 'alice.test', address: ALICE }]);
const broken: NameSource = {
  resolve: () => Promise.reject(new Error('down')),
  nameOf: () => Promise.reject(new Error('down')),
};

describe('the name service', () => {
  test('returns the address for the normal spelling', async () => {
    const names = createNameService([local]);
    const alice = { name: 'alice.test', address: ALICE, source: 'sandbox' };
    expect(await names.resolve('Alice.TEST')).toEqual(alice);
    expect(await names.nameOf(ALICE.toLowerCase())).toBe('alice.test');
    expect(await names.nameOf(BOB)).toBeNull();
  });

  test('reports invalid and unknown names', async () => {
    const names = createNameService([local]);
    await expect(names.resolve('ali\u200bce.test')).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/path/name', detail: expect.stringContaining('invisible') }],
    });
    await expect(names.resolve('\u0430lice.test')).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(names.resolve('carol.test')).rejects.toMatchObject({ code: 'name_not_found' });
  });

  test('reports that names are not served, or unavailable now', async () => {
    const none = createNameService([]);
    await expect(none.resolve('alice.eth')).rejects.toMatchObject({ code: 'names_not_served' });
    await expect(none.nameOf(ALICE)).rejects.toMatchObject({ code: 'names_not_served' });
    const names = createNameService([local, broken]);
    expect(await names.resolve('alice.test')).toMatchObject({ address: ALICE });
    await expect(names.resolve('bob.eth')).rejects.toMatchObject({ code: 'names_unavailable' });
    await expect(names.nameOf(BOB)).rejects.toMatchObject({ code: 'names_unavailable' });
  });
});

describe('the short cache', () => {
  test('requests once until the entry expires, and again after a failure', async () => {
    let now = 0;
    let asked = 0;
    const cache = createShortCache<number>({ ttlMs: () => 100, maxEntries: 2, now: () => now });
    const read = async () => {
      asked += 1;
      return asked;
    };
    expect(await Promise.all([cache('a', read), cache('a', read)])).toEqual([1, 1]);
    now = 99;
    expect(await cache('a', read)).toBe(1);
    now = 100;
    expect(await cache('a', read)).toBe(2);
    await expect(cache('b', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await cache('b', read)).toBe(3);
  });

  test('never exceeds its maximum size', async () => {
    const cache = createShortCache<string>({ ttlMs: () => 1_000, maxEntries: 2, now: () => 0 });
    for (const key of ['a', 'b', 'c']) await cache(key, () => Promise.resolve(`first ${key}`));
    expect(await cache('c', () => Promise.resolve('second'))).toBe('first c');
    expect(await cache('a', () => Promise.resolve('second'))).toBe('second');
  });
});

describe('the address of a gateway', () => {
  const asked = { data: '0xabcd', sender: ALICE } as const;

  test('is filled in', () => {
    const url = gatewayUrl('https://gateway.example/{sender}/{data}.json', asked);
    expect(url.href).toBe(`https://gateway.example/${ALICE.toLowerCase()}/0xabcd.json`);
  });

  test.each([
    'http://gateway.example/{data}',
    'https://127.0.0.1/{data}',
    'https://[::1]/{data}',
    'https://169.254.169.254/{data}',
    'https://2130706433/{data}',
    'https://user:secret@gateway.example/{data}',
    'file:///etc/passwd',
    'data:application/json,{}',
    'nonsense',
  ])('is refused when it is %s', (template) => {
    expect(() => gatewayUrl(template, asked)).toThrow();
  });
});
