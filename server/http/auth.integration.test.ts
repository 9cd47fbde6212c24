import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../auth/apiKeyFormat.ts';
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
  it('200: answers a token that the published keys verify', async () => {
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
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => session.send('POST', '/v1/auth/token', { body, key: false })),
    );
    const statuses = answers.map((one) => one.status);
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
    expect(refused).toMatchObject({ status: 403, code: 'forbidden' });
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

  it('200: HEAD answers what GET does, without the body', async () => {
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
