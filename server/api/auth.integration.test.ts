import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SessionList } from '#lib/api/schemas/auth.ts';
import type { WebhookCreated } from '#lib/api/schemas/webhook.ts';
import { generateApiKey } from '../domain/auth/apiKeys.ts';
import {
  newWallet,
  openSession,
  type Session,
  signIn,
  type TestWallet,
} from './testing/apiSession.ts';

let session: Session;
let wallet: TestWallet;

beforeAll(async () => {
  session = await openSession();
  wallet = newWallet();
});

async function signedMessage(by: TestWallet = wallet) {
  const { message } = await session.client.getSignInMessage(wallet.address);
  return { message, signature: await by.signMessage({ message }) };
}

const exchange = (body: unknown) => session.refuse('POST', '/v1/auth/token', { body, key: false });

describe('signing in', () => {
  it('200: returns a token that the published keys verify', async () => {
    const token = await signIn(session, wallet);
    const { body } = await session.send('GET', '/.well-known/jwks.json', { key: false });
    const { keys } = body as { keys: (JsonWebKey & { kid: string })[] };
    const { kid } = decodeProtectedHeader(token);
    const jwk = keys.find((one) => one.kid === kid);
    expect(JSON.stringify(keys)).not.toContain('"d"');
    const { payload } = await jwtVerify(token, await importJWK({ ...jwk }, 'ES256'));
    expect(payload.sub).toBe(wallet.address);
    const lifetimeSeconds = (payload.exp ?? 0) - (payload.iat ?? 0);
    expect(lifetimeSeconds).toBeGreaterThanOrEqual(15 * 60);
    expect(lifetimeSeconds).toBeLessThanOrEqual(60 * 60);
  });

  it('401: a message works once, also when both arrive at the same instant', async () => {
    const body = await signedMessage();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => session.send('POST', '/v1/auth/token', { body, key: false })),
    );
    const statuses = responses.map((one) => one.status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401]);
  });

  it('401: a changed message, another wallet’s signature, an unknown nonce', async () => {
    const good = await signedMessage();
    const forged = good.message.replace('Sign in to Crossbook', 'Sign in to Elsewhere');
    const foreignNonce = good.message.replace(/Nonce: \w+/, 'Nonce: 0123456789abcdef');
    const bodies = [
      { ...good, message: forged },
      { message: forged, signature: await wallet.signMessage({ message: forged }) },
      { message: foreignNonce, signature: await wallet.signMessage({ message: foreignNonce }) },
      await signedMessage(newWallet()),
      { message: good.message, signature: `0x${'00'.repeat(65)}` },
      { message: 'hello', signature: await wallet.signMessage({ message: 'hello' }) },
    ];
    for (const body of bodies) {
      expect(await exchange(body)).toMatchObject({ status: 401, code: 'sign_in_failed' });
    }
    const { status } = await session.send('POST', '/v1/auth/token', { body: good, key: false });
    expect(status).toBe(200);
  });

  it('400: what is no request', async () => {
    for (const body of [{}, { message: 1, signature: '0x' }, { message: 'x', signature: 'zz' }]) {
      expect(await exchange(body)).toMatchObject({ status: 400, code: 'invalid_request' });
    }
    const refused = await session.refuse('GET', '/v1/auth/message?address=0x12', { key: false });
    expect(refused.errors.map((one) => one.pointer)).toEqual(['/query/address']);
  });
});

describe('sessions', () => {
  const list = async (token: string) =>
    (await session.send('GET', '/v1/auth/sessions', { key: false, token })).body as SessionList;

  it('200: lists where the wallet is signed in, and only that', async () => {
    const owner = newWallet();
    const first = await signIn(session, owner);
    await signIn(session, owner);
    await signIn(session, newWallet());
    const { sessions } = await list(first);
    expect(sessions.map((one) => one.isCurrent)).toEqual([false, true]);
    expect(sessions[0]).toMatchObject({
      userAgent: 'node',
      ip: expect.stringMatching(/^[0-9a-f.:]+$/),
    });
  });

  it('200: ends one, and its token and stream at once', async () => {
    const owner = newWallet();
    const kept = await signIn(session, owner);
    const ended = await signIn(session, owner);
    const stream = await fetch(`${session.baseUrl}/v1/stream`, {
      headers: { 'x-api-key': session.apiKey, authorization: `Bearer ${ended}` },
    });
    const id = (await list(ended)).sessions.find((one) => one.isCurrent)?.id;
    const path = `/v1/auth/sessions/${id}`;
    const foreign = await signIn(session, newWallet());
    const by = (token: string) => session.send('DELETE', path, { key: false, token });
    expect((await by(foreign)).body).toEqual({ ended: 0 });
    expect((await by(kept)).body).toEqual({ ended: 1 });
    expect((await by(kept)).body).toEqual({ ended: 0 });
    const refused = await session.refuse('GET', '/v1/auth/sessions', { key: false, token: ended });
    expect(refused).toMatchObject({ status: 401, code: 'token_invalid' });
    // The stream ends; while it lasted, nothing but its framing came.
    expect(await stream.text()).toContain('retry:');
    expect((await list(kept)).sessions).toHaveLength(1);
  });

  it('200: signs out everywhere', async () => {
    const owner = newWallet();
    const tokens = [await signIn(session, owner), await signIn(session, owner)];
    const stranger = await signIn(session, newWallet());
    const [token = ''] = tokens;
    const all = await session.send('DELETE', '/v1/auth/sessions', { key: false, token });
    expect(all.body).toEqual({ ended: 2 });
    for (const dead of tokens) {
      const refused = await session.refuse('GET', '/v1/order', { token: dead });
      expect(refused).toMatchObject({ status: 401, code: 'token_invalid' });
      await session.refuse('GET', '/v1/stream', { token: dead });
    }
    expect((await list(stranger)).sessions).toHaveLength(1);
  });

  /** A wallet with a key and two webhooks, one of them the key's own. */
  async function withKeyAndWebhooks() {
    const token = await signIn(session, newWallet());
    const made = await session.send('POST', '/v1/keys', {
      body: { name: 'bot', scopes: ['read', 'trade'] },
      token,
    });
    const { secret } = made.body as { secret: string };
    const hook = { body: { url: 'http://127.0.0.1:9/' } };
    const own = await session.send('POST', '/v1/webhooks', { ...hook, token });
    const ofKey = await session.send('POST', '/v1/webhooks', { ...hook, key: secret });
    expect([own.status, ofKey.status]).toEqual([201, 201]);
    return { token, secret };
  }

  it('200: signing out everywhere leaves keys and webhooks, unless they are to end too', async () => {
    const one = await withKeyAndWebhooks();
    const other = await withKeyAndWebhooks();
    expect(await list(one.token)).toMatchObject({ apiKeys: 1, webhooks: 2 });
    const stream = await fetch(`${session.baseUrl}/v1/stream`, {
      headers: { 'x-api-key': one.secret },
    });
    const end = (query: string) =>
      session.send('DELETE', `/v1/auth/sessions${query}`, { key: false, token: one.token });
    const refused = await session.refuse('DELETE', '/v1/auth/sessions?apiKeys=yes', {
      key: false,
      token: one.token,
    });
    expect(refused.errors.map(({ pointer }) => pointer)).toEqual(['/query/apiKeys']);
    expect((await end('?apiKeys=true&webhooks=true')).body).toEqual({
      ended: 1,
      apiKeysRevoked: 1,
      webhooksDisabled: 2,
    });
    const dead = await session.refuse('GET', '/v1/order', { key: one.secret });
    expect(dead).toMatchObject({ status: 401, code: 'api_key_invalid' });
    // The stream of the key ends, without a session that it was opened with.
    expect(await stream.text()).toContain('retry:');
    // What another wallet has stays as it is.
    expect((await session.send('GET', '/v1/order', { key: other.secret })).status).toBe(200);
    expect(await list(other.token)).toMatchObject({ apiKeys: 1, webhooks: 2 });
  });

  it('200: a webhook that is ended with the sign-ins is kept, and can be enabled again', async () => {
    const owner = newWallet();
    const token = await signIn(session, owner);
    const made = await session.send('POST', '/v1/webhooks', {
      body: { url: 'http://127.0.0.1:9/' },
      token,
    });
    const path = `/v1/webhooks/${(made.body as WebhookCreated).webhook.id}`;
    const ended = await session.send('DELETE', '/v1/auth/sessions?webhooks=true', {
      key: false,
      token,
    });
    expect(ended.body).toEqual({ ended: 1, webhooksDisabled: 1 });
    const again = await signIn(session, owner);
    const { body } = await session.send('GET', path, { token: again });
    expect(body).toMatchObject({ webhook: { status: 'disabled', disabledReason: 'by_hand' } });
    expect(await list(again)).toMatchObject({ apiKeys: 0, webhooks: 0 });
  });

  it('given an invalid id, returns 400; without a sign-in, 401', async () => {
    const token = await signIn(session, wallet);
    const noId = await session.refuse('DELETE', '/v1/auth/sessions/x', { key: false, token });
    expect(noId).toMatchObject({ status: 400, code: 'invalid_request' });
    const noOne = await session.refuse('GET', '/v1/auth/sessions');
    expect(noOne).toMatchObject({ status: 401, code: 'token_missing' });
  });
});

describe('keys', () => {
  it('401: unknown, misspelt and doubled keys', async () => {
    const keys = [generateApiKey('test'), `${session.apiKey}x`, `${session.apiKey}, a`, 'null'];
    for (const key of keys) {
      const refused = await session.refuse('GET', '/v1/order', { key });
      expect(refused).toMatchObject({ status: 401, code: 'api_key_invalid' });
    }
  });

  it('403: a secret key in a foreign page', async () => {
    const headers = { origin: 'https://evil.example' };
    const refused = await session.refuse('GET', '/v1/order', { headers });
    expect(refused).toMatchObject({ status: 403, code: 'origin_not_allowed' });
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('every path', () => {
  it('404, 405: in the same form', async () => {
    expect(await session.refuse('GET', '/v1/nothing')).toMatchObject({ code: 'not_found' });
    const refused = await session.refuse('DELETE', '/v1/order');
    expect(refused).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(refused.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
  });

  it('413, 415, 400: bodies that are too large, of another type, or no JSON', async () => {
    const json = { 'content-type': 'application/json' };
    const cases = [
      { rawBody: 'x'.repeat(70_000), headers: json, code: 'body_too_large' },
      { rawBody: '{}', headers: { 'content-type': 'text/plain' }, code: 'unsupported_media_type' },
      { rawBody: '{"a":', headers: json, code: 'malformed_json' },
      { rawBody: new Uint8Array([0xff, 0xfe]), headers: json, code: 'malformed_json' },
    ];
    for (const { code, ...options } of cases) {
      expect(await session.refuse('POST', '/v1/order/calldata', options)).toMatchObject({ code });
    }
  });

  it('200: HEAD returns what GET does, without the body', async () => {
    const head = await session.send('HEAD', '/v1/status', { key: false });
    expect(head).toMatchObject({ status: 200, text: '' });
  });
});

it('GET /v1/status 200 names every part', async () => {
  const { body } = await session.send('GET', '/v1/status', { key: false });
  expect(body).toMatchObject({
    database: { status: 'ok' },
    exchange: { status: 'ok', tradingActive: true },
    chain: { status: 'ok', chainId: 8453, sandbox: true },
  });
});
