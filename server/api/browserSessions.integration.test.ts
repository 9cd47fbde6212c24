import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BrowserSession, SessionList } from '#lib/api/schemas/auth.ts';
import { closeDatabase } from '../platform/database/client.ts';
import {
  newWallet,
  openSandboxDatabase,
  openSession,
  type Reply,
  type Session,
  signIn,
  type TestWallet,
} from './testing/apiSession.ts';

let session: Session;
const database = openSandboxDatabase();

beforeAll(async () => {
  session = await openSession();
});
afterAll(() => closeDatabase(database));

const PATH = '/v1/auth/session';

type Options = { cookie?: string | undefined; headers?: Record<string, string>; body?: unknown };

/** As one of our pages does. */
function ask(method: string, path: string, { cookie, headers, body }: Options = {}) {
  return session.send(method, path, {
    key: false,
    body,
    headers: { origin: session.baseUrl, ...(cookie && { cookie }), ...headers },
  });
}

const cookieOf = ({ headers }: Reply) => headers.get('set-cookie')?.split(';', 1)[0];
const refresh = (cookie: string | undefined) => ask('POST', `${PATH}/refresh`, { cookie });
const sessionOf = ({ body }: Reply) => body as BrowserSession;

async function signInBrowser(wallet: TestWallet = newWallet(), cookie?: string) {
  const { message } = await session.client.getSignInMessage(wallet.address);
  const body = { message, signature: await wallet.signMessage({ message }) };
  const response = await ask('POST', PATH, { body, cookie });
  expect(response.status).toBe(200);
  return { response, cookie: cookieOf(response) ?? '', ...sessionOf(response) };
}

const list = async (token: string) =>
  (await session.send('GET', '/v1/auth/sessions', { key: false, token })).body as SessionList;
const statusOf = async (token: string) =>
  (await session.send('GET', '/v1/auth/sessions', { key: false, token })).status;

/** As if the session had begun, and been renewed, so much earlier. */
async function age(id: string, interval: string): Promise<void> {
  await database.orm.execute(sql`
    update sessions set created_at = created_at - ${interval}::interval,
      expires_at = expires_at - ${interval}::interval,
      refreshed_at = refreshed_at - ${interval}::interval
    where id = ${id}`);
}

async function expectOver(cookie: string): Promise<void> {
  const refused = await refresh(cookie);
  expect(refused).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
  expect(refused.headers.get('set-cookie')).toContain('Max-Age=0');
}

describe('the session of a browser', () => {
  it('200: is renewed with a cookie that pages cannot read and other sites cannot send', async () => {
    const first = await signInBrowser();
    expect(first.response.headers.get('set-cookie')).toMatch(
      /; Max-Age=1209\d{3}; Path=\/v1\/auth\/session; HttpOnly; SameSite=Strict$/,
    );
    expect(first.response.text).not.toContain(first.cookie.split('=')[1]);
    expect(first.expiresIn).toBeLessThanOrEqual(600);
    const second = await refresh(first.cookie);
    expect(cookieOf(second)).not.toBe(first.cookie);
    expect(sessionOf(second)).toMatchObject({ sessionId: first.sessionId, address: first.address });
    // The session counts once, with any of its tokens.
    const { sessions } = await list(sessionOf(second).token);
    expect(sessions).toMatchObject([{ id: first.sessionId, isCurrent: true }]);
    expect(await statusOf(first.token)).toBe(200);
  });

  it('200: two tabs that renew at once, and a lost response, get the same token', async () => {
    const { cookie } = await signInBrowser();
    const both = await Promise.all([refresh(cookie), refresh(cookie)]);
    const again = await refresh(cookie);
    const cookies = [...both, again].map(cookieOf);
    expect(new Set(cookies).size).toBe(1);
    expect((await refresh(cookies[0])).status).toBe(200);
  });

  it('401: a replaced token ends the session for the thief and the owner', async () => {
    const { cookie, token, sessionId } = await signInBrowser();
    const second = cookieOf(await refresh(cookie)) ?? '';
    await age(sessionId, '31 seconds');
    await expectOver(cookie);
    await expectOver(second);
    expect(await statusOf(token)).toBe(401);
  });

  it('401: a token older than the previous one ends the session at once', async () => {
    const { cookie } = await signInBrowser();
    const second = cookieOf(await refresh(cookie)) ?? '';
    const third = cookieOf(await refresh(second)) ?? '';
    await expectOver(cookie);
    await expectOver(third);
  });

  it('401: it ends after fourteen days unused, and after thirty in any case', async () => {
    const idle = await signInBrowser();
    await age(idle.sessionId, '14 days 1 minute');
    await expectOver(idle.cookie);
    const used = await signInBrowser();
    let { cookie } = used;
    for (const days of ['13 days', '13 days']) {
      await age(used.sessionId, days);
      const renewed = await refresh(cookie);
      expect(renewed.status).toBe(200);
      cookie = cookieOf(renewed) ?? '';
    }
    const { sessions } = await list(used.token);
    const daysLeft = (Date.parse(sessions[0]?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(daysLeft).toBeCloseTo(4, 1);
    await age(used.sessionId, '4 days 1 minute');
    await expectOver(cookie);
  });

  it('401: signing out, ending it in the list and signing out everywhere end its renewal', async () => {
    const wallet = newWallet();
    const left = await signInBrowser(wallet);
    const signedOut = await ask('DELETE', PATH, { cookie: left.cookie });
    expect(signedOut.body).toEqual({ ended: 1 });
    expect(signedOut.headers.get('set-cookie')).toContain('Max-Age=0');
    await expectOver(left.cookie);
    expect(await statusOf(left.token)).toBe(401);

    const program = await signIn(session, wallet);
    const listed = await signInBrowser(wallet);
    const end = (path: string) => session.send('DELETE', path, { key: false, token: program });
    expect((await end(`/v1/auth/sessions/${listed.sessionId}`)).body).toEqual({ ended: 1 });
    await expectOver(listed.cookie);

    const everywhere = await signInBrowser(wallet);
    expect((await end('/v1/auth/sessions')).body).toEqual({ ended: 2 });
    await expectOver(everywhere.cookie);
  });

  it('200: a browser has one session: signing in again ends the one before', async () => {
    const first = await signInBrowser();
    const second = await signInBrowser(newWallet(), first.cookie);
    expect(await statusOf(first.token)).toBe(401);
    expect(await statusOf(second.token)).toBe(200);
  });

  it('401: a made-up or missing token renews nothing and ends nothing', async () => {
    const { cookie } = await signInBrowser();
    const [name] = cookie.split('=');
    for (const value of ['', 'x', `${crypto.randomUUID()}.${'A'.repeat(43)}`]) {
      await expectOver(`${name}=${value}`);
    }
    expect((await refresh(undefined)).status).toBe(401);
    expect((await refresh(cookie)).status).toBe(200);
  });

  it('403: another site’s page, or none, neither signs in, renews nor signs out', async () => {
    const { cookie, token } = await signInBrowser();
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: session.baseUrl, 'sec-fetch-site': 'same-site' },
    ];
    const body = { message: 'x', signature: '0x00' };
    for (const headers of foreign) {
      for (const [method, path, sent] of [
        ['POST', PATH, body],
        ['POST', `${PATH}/refresh`, undefined],
        ['DELETE', PATH, undefined],
      ] as const) {
        const refused = await ask(method, path, { cookie, headers, body: sent });
        expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
        expect(refused.headers.get('set-cookie')).toBeNull();
        expect(refused.headers.get('access-control-allow-credentials')).toBeNull();
      }
    }
    expect(await statusOf(token)).toBe(200);
  });

  it('stores no token that could be used', async () => {
    const { cookie, sessionId } = await signInBrowser();
    const next = cookieOf(await refresh(cookie)) ?? '';
    const { rows } = await database.orm.execute(
      sql`select row_to_json(sessions) as row from sessions where id = ${sessionId}`,
    );
    const stored = JSON.stringify(rows);
    for (const one of [cookie, next]) expect(stored).not.toContain(one.split('.')[1]);
  });
});

it('429: renewals have a limit of their own', async () => {
  const { headers } = await refresh(undefined);
  expect(headers.get('ratelimit-policy')).toMatch(/^"refresh";q=600;w=60$/);
});
