// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTransport } from '#lib/api/transport.ts';
import { NO_WALLET, walletStore } from '#lib/browser/wallet/walletStore.ts';
import { freshToken, replaceToken } from './freshToken.ts';
import { finishSignOut } from './renewSession.ts';
import { beginSession, endSession, latestSession, sessionToken } from './session.ts';

const MINE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const DAY_MS = 86_400_000;

type Handler = (path: string, init: RequestInit) => Response | Promise<Response>;

let asked: string[] = [];

function respond(handler: Handler): void {
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    asked.push(`${init.method} ${url}`);
    return Promise.resolve().then(() => handler(url, init));
  });
}

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const renewedTo = (token: string, sessionId = 'session') =>
  json({
    token,
    sessionId,
    address: MINE,
    expiresIn: 600,
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
    renewableUntil: new Date(Date.now() + DAY_MS).toISOString(),
  });
const over = () => json({ code: 'token_invalid', title: '', detail: 'ended' }, 401);
const tokenOf = (init: RequestInit) => new Headers(init.headers).get('authorization');

const signedIn = (token: string, expiresAtMs: number) => {
  const renewableUntilMs = Date.now() + DAY_MS;
  beginSession({ token, address: MINE, expiresAtMs, renewableUntilMs, id: 'session' });
};

beforeEach(() => {
  asked = [];
  endSession();
  walletStore.set({ ...NO_WALLET, status: 'connected', address: MINE });
});

afterEach(() => vi.unstubAllGlobals());

const REFRESH = 'POST /v1/auth/session/refresh';

describe('an expired token', () => {
  beforeEach(() => signedIn('old', Date.now() - 1));

  it('is renewed once for all requests that need it', async () => {
    respond(() => renewedTo('new'));
    expect(await Promise.all([freshToken(), freshToken(), replaceToken('old')])).toEqual([
      'new',
      'new',
      true,
    ]);
    expect(asked).toEqual([REFRESH]);
    expect(await freshToken()).toBe('new');
  });

  it('given a lost response, is asked for again', async () => {
    const responses: Handler[] = [
      () => Promise.reject(new TypeError('lost')),
      () => renewedTo('new'),
    ];
    respond((...request) => responses.shift()?.(...request) ?? over());
    expect(await freshToken()).toBe('new');
    expect(asked).toEqual([REFRESH, REFRESH]);
  });

  it('given no connection, fails and keeps the session', async () => {
    respond(() => Promise.reject(new TypeError('offline')));
    await expect(freshToken()).rejects.toMatchObject({ code: 'network_error' });
    expect(sessionToken()).toBe('old');
  });

  it('given an ended session, ends it here', async () => {
    respond(over);
    expect(await freshToken()).toBeUndefined();
    expect(latestSession()).toBeUndefined();
  });

  it('given another tab that renewed it, is taken from there', async () => {
    const stored = JSON.parse(localStorage.getItem('crossbook.session') ?? '{}');
    const theirs = { ...stored, token: 'theirs', expiresAtMs: Date.now() + 600_000 };
    localStorage.setItem('crossbook.session', JSON.stringify(theirs));
    respond(over);
    expect(await freshToken()).toBe('theirs');
    expect(asked).toEqual([]);
  });

  it('given a sign-out during the renewal, stays signed out', async () => {
    respond(() => {
      endSession({ isSignOut: true });
      return renewedTo('new');
    });
    expect(await freshToken()).toBeUndefined();
    expect(latestSession()).toBeUndefined();
  });

  it('given the cookie of another session, signs out rather than act for another wallet', async () => {
    respond(() => renewedTo('new', 'another'));
    expect(await freshToken()).toBeUndefined();
  });
});

describe('a request whose token is refused', () => {
  const order = () =>
    createTransport({ baseUrl: '', token: freshToken, onTokenRefused: replaceToken })({
      method: 'POST',
      path: '/v1/order',
      body: {},
    });

  it('is sent again with a renewed token', async () => {
    signedIn('old', Date.now() + 600_000);
    respond((path, init) => {
      if (path.endsWith('/refresh')) return renewedTo('new');
      return tokenOf(init) === 'Bearer new' ? json({ success: true }) : over();
    });
    expect(await order()).toEqual({ success: true });
    expect(asked).toEqual(['POST /v1/order', REFRESH, 'POST /v1/order']);
  });

  it('is not sent a third time', async () => {
    signedIn('old', Date.now() + 600_000);
    respond((path) => (path.endsWith('/refresh') ? renewedTo('new') : over()));
    await expect(order()).rejects.toMatchObject({ code: 'token_invalid' });
    expect(asked).toHaveLength(3);
  });

  it('given a session that cannot be renewed, ends it', async () => {
    beginSession({ token: 'old', address: MINE, expiresAtMs: Date.now() + 600_000 });
    respond(over);
    await expect(order()).rejects.toMatchObject({ code: 'token_invalid' });
    expect(latestSession()).toBeUndefined();
    expect(asked).toHaveLength(1);
  });
});

it('given a sign-out without a connection, ends the session at the service later', async () => {
  signedIn('mine', Date.now() + 600_000);
  endSession({ isSignOut: true });
  respond(() => Promise.reject(new TypeError('offline')));
  await expect(finishSignOut()).rejects.toMatchObject({ code: 'network_error' });
  respond(() => json({ ended: 1 }));
  await finishSignOut();
  await finishSignOut();
  expect(asked).toEqual(['DELETE /v1/auth/session', 'DELETE /v1/auth/session']);
});
