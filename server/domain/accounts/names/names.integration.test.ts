import { beforeAll, expect, test } from 'vitest';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import { openSession, type Session } from '#server/api/testing/apiSession.ts';

const [alice] = sandboxUnderTest().demoWallets;
const name = 'alice.test';
let session: Session;

beforeAll(async () => {
  session = await openSession();
});

test('GET /v1/names/{name} 200: the wallet of a name, in any spelling', async () => {
  for (const spelling of [name, 'ALICE.Test', '%EF%BC%A1lice.test']) {
    const { status, body } = await session.send('GET', `/v1/names/${spelling}`);
    expect(status).toBe(200);
    expect(body).toEqual({ name, address: alice?.address, source: 'sandbox' });
  }
});

test('GET /v1/names 200: the name of a wallet, or none', async () => {
  const ofAlice = await session.send('GET', `/v1/names?address=${alice?.address}`);
  expect(ofAlice.body).toEqual({ address: alice?.address, name });
  const noOne = '0x00000000000000000000000000000000000A11cE'.toLowerCase();
  const { body } = await session.send('GET', `/v1/names?address=${noOne}`);
  expect(body).toMatchObject({ name: null });
});

test('GET /v1/names/{name} 400 for look-alikes, 404 for an unknown name, 401 without a key', async () => {
  for (const text of ['al%E2%80%8Bice.test', '%D0%B0lice.test', 'alice', 'alice..test']) {
    const refused = await session.refuse('GET', `/v1/names/${text}`);
    expect(refused, text).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(refused.errors.map((one) => one.pointer)).toEqual(['/path/name']);
  }
  const refused = await session.refuse('GET', '/v1/names/nobody.test');
  expect(refused).toMatchObject({ status: 404, code: 'name_not_found' });
  const anonymous = await session.refuse('GET', `/v1/names/${name}`, { key: false });
  expect(anonymous).toMatchObject({ status: 401, code: 'api_key_missing' });
});

test('GET /v1/names 400 for an invalid address, 401 without a key', async () => {
  const refused = await session.refuse('GET', '/v1/names?address=alice.test');
  expect(refused).toMatchObject({ status: 400, errors: [{ pointer: '/query/address' }] });
  const path = `/v1/names?address=${alice?.address}`;
  expect(await session.refuse('GET', path, { key: false })).toMatchObject({ status: 401 });
});
