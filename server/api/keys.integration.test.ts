import { beforeAll, describe, expect, it, vi } from 'vitest';
import type {
  ApiKeyCreated,
  ApiKeyList,
  ApiKeyResponse,
  ApiKeyUsage,
  CreateApiKeyInput,
} from '#lib/api/schemas/key.ts';
import { newWallet, openSession, type Session, signIn } from './testing/apiSession.ts';

let session: Session;
let token: string;
let strangerToken: string;

beforeAll(async () => {
  session = await openSession();
  token = await signIn(session, newWallet());
  strangerToken = await signIn(session, newWallet());
});

async function create(body: Partial<CreateApiKeyInput> = {}): Promise<ApiKeyCreated> {
  const response = await session.send('POST', '/v1/keys', {
    body: { name: 'A key', ...body },
    key: false,
    token,
  });
  expect(response.status, response.text).toBe(201);
  return response.body as ApiKeyCreated;
}

const useKey = (key: string, headers: Record<string, string> = {}) =>
  session.send('GET', '/v1/order', { key, headers });

describe('GET /v1/keys/{id}/usage', () => {
  const usageOf = async (id: string, query = '') =>
    (await session.send('GET', `/v1/keys/${id}/usage${query}`, { key: false, token }))
      .body as ApiKeyUsage;

  it('200: counts what came with the key, and what of it was refused', async () => {
    const { key, secret } = await create();
    expect((await usageOf(key.id)).days).toHaveLength(30);
    const asked = [1, 2, 3].map(() => session.send('GET', '/v1/order', { key: secret }));
    await Promise.all(asked);
    await session.refuse('GET', '/v1/order?limit=none', { key: secret });
    // It reads only.
    await session.refuse('POST', '/v1/order/calldata', { key: secret, body: {} });
    const today = new Date().toISOString().slice(0, 10);
    await vi.waitFor(
      async () => {
        const { days } = await usageOf(key.id, '?days=2');
        expect(days).toHaveLength(2);
        expect(days[0]).toMatchObject({ requests: 0, refused: 0 });
        expect(days[1]).toEqual({ day: today, requests: 5, refused: 2 });
      },
      { timeout: 120_000, interval: 500 },
    );
  });

  it('given another wallet’s key, returns 404; given days beyond retention, 400', async () => {
    const { key } = await create();
    const path = `/v1/keys/${key.id}/usage`;
    const foreign = await session.refuse('GET', path, { key: false, token: strangerToken });
    expect(foreign).toMatchObject({ status: 404, code: 'key_not_found' });
    const beyond = await session.refuse('GET', `${path}?days=91`, { key: false, token });
    expect(beyond.code).toBe('invalid_request');
  });
});

describe('POST /v1/keys', () => {
  it('201: shows the secret once, and the key works', async () => {
    const { key, secret } = await create({ name: '  Market maker ', scopes: ['read', 'trade'] });
    expect(key).toMatchObject({
      name: 'Market maker',
      kind: 'test',
      scopes: ['read', 'trade'],
      ipRanges: [],
      origins: [],
      status: 'active',
      lastUsedAt: null,
    });
    expect((await useKey(secret)).status).toBe(200);
    const read = await session.send('GET', `/v1/keys/${key.id}`, { key: false, token });
    expect(read.text).not.toContain(secret);
    expect((read.body as ApiKeyResponse).key.lastUsedAt).not.toBeNull();
    const listed = await session.send('GET', '/v1/keys', { key: false, token });
    expect((listed.body as ApiKeyList).keys.map((one) => one.id)).toContain(key.id);
    expect(listed.text).not.toContain(secret);
  });

  it('201: reads only, by default', async () => {
    const { secret } = await create();
    const refused = await session.refuse('POST', '/v1/order/calldata', { key: secret, body: {} });
    expect(refused).toMatchObject({ status: 403, code: 'forbidden' });
  });

  it.each<[object, string]>([
    [{}, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: 'x', scopes: [] }, '/scopes'],
    [{ name: 'x', scopes: ['read', 'read'] }, '/scopes'],
    [{ name: 'x', scopes: ['admin'] }, '/scopes/0'],
    [{ name: 'x', ipRanges: ['10.0.0.0/33'] }, '/ipRanges/0'],
    [{ name: 'x', ipRanges: ['everywhere'] }, '/ipRanges/0'],
    [{ name: 'x', origins: ['https://a.example/path'] }, '/origins/0'],
    [{ name: 'x', origins: ['*'] }, '/origins/0'],
    [{ name: 'x', expiresAt: '2020-01-01T00:00:00.000Z' }, '/expiresAt'],
    [{ name: 'x', id: 'key_1' }, '/id'],
  ])('400: for %j', async (body, pointer) => {
    const refused = await session.refuse('POST', '/v1/keys', { body, key: false, token });
    expect(refused.code).toBe('invalid_request');
    expect(refused.errors.map((one) => one.pointer)).toContain(pointer);
  });

  it('422: beyond what one wallet may have, also when all are asked for at once', async () => {
    const owner = await signIn(session, newWallet());
    const responses = await Promise.all(
      Array.from({ length: 52 }, (_, index) =>
        session.send('POST', '/v1/keys', { body: { name: `${index}` }, key: false, token: owner }),
      ),
    );
    const statuses = responses.map((one) => one.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(50);
    expect(statuses.filter((status) => status === 422)).toHaveLength(2);
  });
});

describe('keys belong to the wallet that is signed in', () => {
  it('401: without a token, with any key', async () => {
    for (const key of [false, session.apiKey] as const) {
      const refused = await session.refuse('GET', '/v1/keys', { key });
      expect(refused).toMatchObject({ status: 401, code: 'token_missing' });
    }
  });

  it('404: for the keys of others', async () => {
    const { key } = await create();
    for (const [method, path, body] of [
      ['GET', `/v1/keys/${key.id}`, undefined],
      ['PATCH', `/v1/keys/${key.id}`, { name: 'mine' }],
      ['POST', `/v1/keys/${key.id}/rotate`, {}],
      ['DELETE', `/v1/keys/${key.id}`, undefined],
    ] as const) {
      const refused = await session.refuse(method, path, {
        key: false,
        token: strangerToken,
        body,
      });
      expect(refused, method).toMatchObject({ status: 404, code: 'key_not_found' });
    }
    const { body } = await session.send('GET', '/v1/keys', { key: false, token: strangerToken });
    expect((body as ApiKeyList).keys).toEqual([]);
  });

  it('pages, newest first', async () => {
    const owner = await signIn(session, newWallet());
    const send = (path: string, body?: object) =>
      session.send(body ? 'POST' : 'GET', path, { key: false, token: owner, body });
    for (const name of ['1', '2', '3']) await send('/v1/keys', { name });
    const first = (await send('/v1/keys?limit=2')).body as ApiKeyList;
    const rest = (await send(`/v1/keys?limit=2&cursor=${first.cursor}`)).body as ApiKeyList;
    expect([...first.keys, ...rest.keys].map((one) => one.name)).toEqual(['3', '2', '1']);
    expect(rest.cursor).toBe('');
  });
});

describe('a key that is bound', () => {
  it('403: outside its networks, with any X-Forwarded-For', async () => {
    const { key, secret } = await create({ ipRanges: ['203.0.113.0/24', '2001:db8::/32'] });
    const claims: Record<string, string>[] = [
      {},
      { 'x-forwarded-for': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { 'x-real-ip': '203.0.113.9' },
    ];
    for (const headers of claims) {
      const refused = await session.refuse('GET', '/v1/order', { key: secret, headers });
      expect(refused).toMatchObject({ status: 403, code: 'ip_not_allowed' });
    }
    await session.send('PATCH', `/v1/keys/${key.id}`, {
      key: false,
      token,
      body: { ipRanges: ['127.0.0.0/8', '::1'] },
    });
    expect((await useKey(secret)).status).toBe(200);
  });

  it('403: in pages of other origins; its own are let in', async () => {
    const origin = 'https://app.example';
    const { secret } = await create({ origins: [origin] });
    const allowed = await useKey(secret, { origin });
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
    const refused = await session.refuse('GET', '/v1/order', {
      key: secret,
      headers: { origin: 'https://other.example' },
    });
    expect(refused.code).toBe('origin_not_allowed');
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    // The origin is this key's alone: no other may be used from there.
    const { secret: other } = await create({ origins: [] });
    const elsewhere = await session.refuse('GET', '/v1/order', { key: other, headers: { origin } });
    expect(elsewhere).toMatchObject({ status: 403, code: 'origin_not_allowed' });
    expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull();
    const open = await session.send('GET', '/v1/status', { key: false, headers: { origin } });
    expect(open.headers.get('access-control-allow-origin')).toBeNull();
    const own = await useKey(other, { origin: session.baseUrl });
    expect(own.status).toBe(200);
  });

  it('401: once it has expired', async () => {
    const { secret } = await create({ expiresAt: new Date(Date.now() + 5_000).toISOString() });
    expect((await useKey(secret)).status).toBe(200);
    await vi.waitUntil(async () => (await useKey(secret)).status === 401, {
      timeout: 120_000,
    });
  });
});

describe('changing a key', () => {
  it('200: what is left out stays', async () => {
    const { key } = await create({ name: 'before', scopes: ['read', 'trade'] });
    const changed = await session.send('PATCH', `/v1/keys/${key.id}`, {
      key: false,
      token,
      body: { name: 'after' },
    });
    expect((changed.body as ApiKeyResponse).key).toEqual({ ...key, name: 'after' });
    const same = await session.send('PATCH', `/v1/keys/${key.id}`, { key: false, token, body: {} });
    expect(same.body).toEqual(changed.body);
  });

  it('200: rotation keeps the key and lets both secrets work for the overlap', async () => {
    const { key, secret } = await create();
    const rotate = async (overlapSeconds: number) =>
      (
        await session.send('POST', `/v1/keys/${key.id}/rotate`, {
          key: false,
          token,
          body: { overlapSeconds },
        })
      ).body as ApiKeyCreated;
    const second = await rotate(60);
    expect(second.key.id).toBe(key.id);
    expect(second.key.previousSecretExpiresAt).not.toBeNull();
    expect((await useKey(secret)).status).toBe(200);
    expect((await useKey(second.secret)).status).toBe(200);
    const third = await rotate(0);
    expect((await useKey(secret)).status).toBe(401);
    expect((await useKey(second.secret)).status).toBe(401);
    expect((await useKey(third.secret)).status).toBe(200);
  });

  it('200: revoking is final, and repeating it changes nothing', async () => {
    const { key, secret } = await create();
    const revoke = () => session.send('DELETE', `/v1/keys/${key.id}`, { key: false, token });
    const first = (await revoke()).body as ApiKeyResponse;
    expect(first.key.status).toBe('revoked');
    expect(await revoke()).toMatchObject({ status: 200, body: first });
    expect((await useKey(secret)).status).toBe(401);
    for (const [method, path] of [
      ['PATCH', `/v1/keys/${key.id}`],
      ['POST', `/v1/keys/${key.id}/rotate`],
    ] as const) {
      const refused = await session.refuse(method, path, { key: false, token, body: {} });
      expect(refused).toMatchObject({ status: 409, code: 'key_not_active' });
    }
  });
});
