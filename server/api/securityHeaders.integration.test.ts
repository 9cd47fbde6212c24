import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openMarket, openSession, type Session } from './testing/apiSession.ts';

/** What every response of the production server carries, as it comes over the wire. */

let session: Session;
let ticker = '';

beforeAll(async () => {
  session = await openSession();
  ({ ticker } = await openMarket(session));
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${session.baseUrl}${path}`, { headers, redirect: 'manual' });

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
};

function expectAlways(path: string, headers: Headers): void {
  const given = Object.fromEntries(Object.keys(ALWAYS).map((name) => [name, headers.get(name)]));
  expect(given, path).toEqual(ALWAYS);
  expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
  expect(headers.get('content-security-policy'), path).toMatch(/^default-src 'none'/);
  expect(headers.get('referrer-policy'), path).toMatch(/^(same-origin|no-referrer)$/);
  expect(headers.get('cross-origin-resource-policy'), path).toMatch(/^(same|cross)-origin$/);
  expect(headers.get('set-cookie'), path).toBeNull();
  expect(headers.get('x-powered-by'), path).toBeNull();
  expect(headers.get('access-control-allow-credentials'), path).toBeNull();
}

const nonceOf = (response: Response) =>
  /script-src[^;]*'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '')?.[1];

describe('pages', () => {
  const pages = (): [string, number][] => [
    ['/', 200],
    [`/markets/${ticker}`, 200],
    ['/search?query=rain', 200],
    ['/portfolio', 200],
    ['/orders/00000000-0000-7000-8000-000000000000', 200],
    ['/status', 200],
    ['/developers', 200],
    ['/operator', 200],
    [`/share/${ticker}?side=yes`, 200],
    ['/docs/errors', 200],
    ['/docs/errors/not_found', 200],
    ['/docs/errors/no_such_code', 404],
    ['/nowhere', 404],
    ['/_next/static/nowhere.js', 404],
  ];

  test('let only our scripts run: each carries the nonce of its own response', async () => {
    const nonces = new Set<string>();
    for (const [path, status] of pages()) {
      const response = await get(path);
      expect(response.status, path).toBe(status);
      expectAlways(path, response.headers);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(/script-src ([^;]*)/.exec(policy)?.[1], path).not.toMatch(/unsafe/);
      const nonce = nonceOf(response) ?? '';
      expect(nonces.has(nonce), path).toBe(false);
      nonces.add(nonce);
      const html = await response.text();
      const scripts = [...html.matchAll(/<script\b([^>]*)>/g)].map(([, given = '']) => given);
      const strangers = scripts.filter((given) => !given.includes(`nonce="${nonce}"`));
      // Our own two are known by their hashes.
      expect(
        strangers.filter((given) => given !== ''),
        path,
      ).toEqual([]);
      expect(strangers.length, path).toBeLessThanOrEqual(2);
      expect(html, path).not.toMatch(/<style[\s>]|\son[a-z]+="|href="javascript:/i);
    }
  });

  test('let other sites show the card of a market in a frame, and nothing else', async () => {
    const { status, headers } = await get(`/embed/${ticker}?theme=dark`);
    const policy = headers.get('content-security-policy');
    expect(status).toBe(200);
    expect(policy).toContain('frame-ancestors *');
    expect(policy).toMatch(/^default-src 'none'/);
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('set-cookie')).toBeNull();
    for (const path of ['/embed', `/embed/${ticker}/..`, '/embed/..%2fportfolio', '/embed/']) {
      expectAlways(path, (await get(path)).headers);
    }
  });

  test('a visitor cannot choose the nonce', async () => {
    const chosen = { 'content-security-policy': "script-src 'nonce-Y2hvc2Vu'" };
    const html = await (await get('/', chosen)).text();
    expect(html).toContain('nonce="');
    expect(html).not.toContain('Y2hvc2Vu');
  });

  test('files beside them', async () => {
    const html = await (await get('/')).text();
    const script = /src="(\/_next\/static\/[^"]+\.js[^"]*)"/.exec(html)?.[1] ?? '';
    const style = /href="(\/_next\/static\/[^"]+\.css[^"]*)"/.exec(html)?.[1] ?? '';
    for (const path of [
      script,
      style,
      '/icon.svg',
      '/manifest.webmanifest',
      '/robots.txt',
      '/healthz',
    ]) {
      const response = await get(path);
      expect(response.status, path).toBe(200);
      expectAlways(path, response.headers);
    }
  });

  test('pictures of the exchange, which are no documents of ours', async () => {
    const pictured = await vi.waitUntil(
      async () => {
        const { markets } = await session.client.listMarkets({ limit: 100 });
        return markets.find(({ iconUrlLightMode }) => !iconUrlLightMode.includes('/icons/'));
      },
      { timeout: 120_000, interval: 500 },
    );
    const path = `/pictures/markets/${pictured.ticker}`;
    const response = await get(path);
    expect(response.status).toBe(200);
    expectAlways(path, response.headers);
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(response.headers.get('content-disposition')).toBe('attachment');
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=86400/);
    expect(await response.text()).toMatch(/^<svg /);
    const etag = response.headers.get('etag') ?? '';
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304);
    for (const none of ['markets/NONE', 'events/..%2fa', 'secrets/NONE']) {
      expect((await get(`/pictures/${none}`)).status, none).toBe(404);
    }
  });

  test('lead nowhere else and to no file of ours', async () => {
    for (const path of [
      '//evil.example/',
      '//evil.example/..',
      '/%2f%2fevil.example/',
      '/\\evil.example/',
      '/%5cevil.example/',
      '/developers/reference?to=//evil.example',
    ]) {
      const location = (await get(path)).headers.get('location');
      if (location === null) continue;
      expect(new URL(location, session.baseUrl).origin, path).toBe(session.baseUrl);
    }
    for (const path of [
      '/docs/errors/..%2f..%2f..%2fpackage.json',
      '/docs/errors/%2e%2e/%2e%2e/package.json',
      '/_next/static/..%2f..%2f..%2fpackage.json',
      '/_next/static/%2e%2e/%2e%2e/package.json',
      '/icons/..%2f..%2fpackage.json',
      '/icons/category/..%2f..%2f..%2fpackage.json',
      '/_next/image?url=%2fetc%2fpasswd&w=64&q=75',
      '/_next/image?url=http%3A%2F%2F127.0.0.1%3A1%2Fa.png&w=64&q=75',
    ]) {
      const response = await get(path);
      expect(response.status, path).toBeGreaterThanOrEqual(300);
      expect(await response.text(), path).not.toMatch(/"dependencies"|root:x:0/);
    }
  });
});

describe('the interface', () => {
  test('carries them on responses, errors, documents, tables and pictures', async () => {
    const key = { 'x-api-key': session.apiKey };
    const paths: [string, Record<string, string>][] = [
      ['/v1/status', {}],
      ['/v1/openapi.json', {}],
      ['/v1/reference', {}],
      ['/v1/reference/reference.js', {}],
      ['/v1/nothing', {}],
      ['/v1/order', {}],
      ['/v1/order', key],
      ['/v1/exports/orders.csv', key],
      ['/v1/prediction-market/markets?limit=1', key],
      ['/v1/%00', key],
      ['/operator/v1/overview', {}],
      ['/.well-known/jwks.json', {}],
    ];
    for (const [path, headers] of paths) expectAlways(path, (await get(path, headers)).headers);
  });

  test('signs in without a cookie', async () => {
    const response = await session.send('GET', '/v1/auth/message?address=0x1', { key: false });
    expectAlways('/v1/auth/message', response.headers);
    const refused = await session.send('POST', '/v1/auth/token', {
      key: false,
      body: { message: 'x', signature: '0x' },
    });
    expectAlways('/v1/auth/token', refused.headers);
  });

  test('returns nothing to pages of other origins, and never with credentials', async () => {
    for (const origin of ['https://evil.example', 'null', `${session.baseUrl}.evil.example`]) {
      const { headers } = await get('/v1/status', { origin });
      expect(headers.get('access-control-allow-origin'), origin).toBeNull();
      expectAlways(origin, headers);
    }
    const own = await get('/v1/status', { origin: session.baseUrl });
    expect(own.headers.get('access-control-allow-origin')).toBe(session.baseUrl);
    expect(own.headers.get('vary')).toBe('origin');
  });

  test('also where a request is no HTTP', async () => {
    const { hostname, port } = new URL(session.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write('GARBAGE\r\n\r\n');
    const [head = ''] = (await text(socket)).split('\r\n\r\n');
    const headers = new Headers(
      head
        .split('\r\n')
        .slice(1)
        .map((line): [string, string] => {
          const at = line.indexOf(':');
          return [line.slice(0, at), line.slice(at + 1).trim()];
        }),
    );
    expectAlways('GARBAGE', headers);
  });
});
