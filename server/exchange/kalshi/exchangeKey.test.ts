import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { openExchangeKey } from './exchangeKey.ts';

const pem = () =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const configured = (id: string) => ({
  exchange: {
    url: 'https://exchange.test',
    wsUrl: undefined,
    key: { id, source: { kind: 'local', value: pem() } as const },
  },
  keyService: undefined,
});

test('signs with a changed key from the next request on', async () => {
  const key = openExchangeKey(configured('first'));
  const before = await key?.signer('GET', '/');
  key?.change(configured('second'));
  const after = await key?.signer('GET', '/');
  expect([before?.['KALSHI-ACCESS-KEY'], after?.['KALSHI-ACCESS-KEY']]).toEqual([
    'first',
    'second',
  ]);
});

test('given a configuration without a key, keeps the current one', async () => {
  const key = openExchangeKey(configured('first'));
  key?.change({ ...configured('none'), exchange: { url: '', wsUrl: undefined, key: undefined } });
  expect((await key?.signer('GET', '/'))?.['KALSHI-ACCESS-KEY']).toBe('first');
});

test('given no key, has no signer', () => {
  const { exchange } = configured('none');
  expect(
    openExchangeKey({ exchange: { ...exchange, key: undefined }, keyService: undefined }),
  ).toBeUndefined();
});
