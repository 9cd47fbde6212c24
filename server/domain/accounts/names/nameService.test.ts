import type { Address } from 'viem';
import { describe, expect, test } from 'vitest';
import { gatewayUrl } from './gatewayRequest.ts';
import { createNameService, fixedNames, type NameSource } from './nameService.ts';

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
