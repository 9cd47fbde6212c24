import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiKeyCreated, ApiKeyResponse } from '#lib/api/schemas/key.ts';
import {
  newTrader,
  openMarket,
  openSession,
  orderBody,
  type Session,
  type Trader,
} from './testing/apiSession.ts';

let session: Session;
let trader: Trader;
let order: object;

const JSON_TYPE = { 'content-type': 'application/json' };

beforeAll(async () => {
  session = await openSession();
  trader = await newTrader(session);
  const { ticker } = await openMarket(session);
  const trade = { ticker, side: 'yes', contracts: '1', buyForAtMost: '1' } as const;
  order = orderBody(trader, trade);
});

const calldata = (rawBody: string) =>
  session.refuse('POST', '/v1/order/calldata', { rawBody, headers: JSON_TYPE });

/** What the server sends back over a connection on which `parts` are written, until it closes it. */
async function overWire(parts: (string | (() => Promise<void>))[]): Promise<string> {
  const { hostname, port } = new URL(session.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const response = text(socket);
  for (const part of parts) {
    if (typeof part === 'string') socket.write(part);
    else await part();
  }
  return response;
}

describe('JSON', () => {
  it.each([
    ['arrays', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['addresses', `{"userAddress":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ])('400: %s inside each other thousands of times', async (_, rawBody) => {
    expect(await calldata(rawBody)).toMatchObject({ status: 400 });
  });

  it('400: depth inside a field that is known', async () => {
    const deep = `${'{"data":'.repeat(5_000)}{}${'}'.repeat(5_000)}`;
    const refused = await calldata(`{"orderType":"MarketOrder","order":${deep}}`);
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  it('413: a body over the maximum, with and without a declared length', async () => {
    const large = JSON.stringify({ ...order, clientId: 'x'.repeat(70_000) });
    expect(await calldata(large)).toMatchObject({ status: 413, code: 'body_too_large' });
    const chunked = await overWire([
      'POST /v1/order/calldata HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
        `x-api-key: ${session.apiKey}\r\ntransfer-encoding: chunked\r\n\r\n`,
      `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`,
    ]);
    expect(chunked).toContain('body_too_large');
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString'])(
    '400: a field named %s is unknown, and changes nothing',
    async (name) => {
      const json = JSON.stringify(order);
      for (const rawBody of [
        `${json.slice(0, -1)},"${name}":{"clientId":"polluted"}}`,
        json.replace('"order":{', `"order":{"${name}":{"orderType":"SELL"},`),
      ]) {
        const refused = await calldata(rawBody);
        expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
        expect(refused.errors.map((one) => one.pointer)).toContain(
          rawBody.includes('polluted') ? `/${name}` : `/order/${name}`,
        );
      }
    },
  );

  it('400: fields are not inherited from __proto__', async () => {
    const refused = await calldata(`{"__proto__":${JSON.stringify(order)}}`);
    expect(refused.errors.map((one) => one.pointer)).toContain('/orderType');
  });

  it('200: what was sent before leaves nothing behind', async () => {
    const response = await session.send('POST', '/v1/order/calldata', { body: order });
    expect(response.status, response.text).toBe(200);
    expect(response.text).not.toContain('polluted');
  });
});

describe('text', () => {
  const HOSTILE = [
    "'; drop table api_keys; --",
    '" or ""="',
    '<script>alert(1)</script>',
    '{{7*7}} #{7*7} <%= 7*7 %>',
    '../../../etc/passwd',
    'a\u202eb',
    '=cmd|calc',
    '\\u0000',
  ];

  it.each(HOSTILE)('%j is kept unchanged, and returned as JSON', async (name) => {
    const token = trader.token;
    const created = await session.send('POST', '/v1/keys', { body: { name }, key: false, token });
    const { key } = created.body as ApiKeyCreated;
    const read = await session.send('GET', `/v1/keys/${key.id}`, { key: false, token });
    expect((read.body as ApiKeyResponse).key.name).toBe(name);
    expect(read.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(read.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('400: NUL, which nothing can keep, is refused wherever text is taken', async () => {
    for (const [path, body] of [
      ['/v1/keys', { name: 'a\0b' }],
      ['/v1/webhooks', { url: 'http://127.0.0.1:9/', description: 'a\0b' }],
      ['/v1/order', { ...order, clientId: 'a\0b' }],
    ] as const) {
      const refused = await session.refuse('POST', path, { body, token: trader.token });
      expect(refused, path).toMatchObject({ status: 400, code: 'invalid_request' });
    }
  });

  it.each(HOSTILE)('%j in a path or a parameter finds nothing', async (text) => {
    const encoded = encodeURIComponent(text);
    for (const path of [
      `/v1/order/${encoded}`,
      `/v1/order/by-client-id/${encoded}`,
      `/v1/prediction-market/markets/${encoded}`,
      `/v1/prediction-market/markets?tickers=${encoded}`,
      `/v1/prediction-market/search?category=${encoded}`,
      `/v1/tokens/${encoded}`,
    ]) {
      const response = await session.send('GET', path);
      expect(response.status, path).toBeLessThan(500);
    }
  });
});

describe('paths that nothing can have', () => {
  const BROKEN = ['%ff', '%', '%zz', '%c0%80', '%ed%a0%80', 'a%00b'];

  it.each([
    '/',
    '/markets/',
    '/events/',
    '/orders/',
    '/transactions/',
    '/docs/errors/',
    '/nothing/',
    '/icons/',
    '/sandbox/',
    '/_next/static/',
    '/_next/data/',
    '/_next/image/',
    '/.well-known/',
    '/v1/order/',
    '/v1/tokens/',
    '/operator/v1/orders/',
  ])('are refused below %s, and never an error of ours', async (family) => {
    for (const end of BROKEN) {
      const path = family + end;
      const response = await overWire([
        `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      ]);
      const isApi = /^\/(operator\/)?v1\//.test(path);
      expect(response, path).toMatch(isApi ? /^HTTP\/1\.1 40[014] / : /^HTTP\/1\.1 400 /);
      expect(response, path).toContain('content-type: application/problem+json');
    }
  });

  it.each(['OPTIONS *', 'GET *', 'GET http://[/x', 'GET ftp://x/', 'OPTIONS x'])(
    '400: %s',
    async (line) => {
      const response = await overWire([`${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`]);
      expect(response).toMatch(/^HTTP\/1\.1 400 /);
      expect(response).toContain('"code":"malformed_http"');
    },
  );

  it('a whole address asks for its path, and leads to no other host', async () => {
    const ask = (target: string) =>
      overWire([`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`]);
    expect(await ask('https://elsewhere.example/v1/status')).toContain('"exchange"');
    const page = await ask('http://elsewhere.example/status');
    expect(page).toMatch(/^HTTP\/1\.1 200 /);
    expect(page).not.toContain('elsewhere.example');
  });

  it.each([
    ['no host', ''],
    ['a host that is none', 'host: a b/?#\r\n'],
    ['two hosts', 'host: a\r\nhost: b\r\n'],
    ['a port beyond all', 'host: a:99999999\r\n'],
    ['a router state that is none', 'host: x\r\nrsc: 1\r\nnext-router-state-tree: %ff\r\n'],
    ['an action that is none', 'host: x\r\nnext-action: x\r\n'],
    ['languages that are none', 'host: x\r\naccept-language: ,;;q=zz\r\n'],
    ['cookies that are none', 'host: x\r\ncookie: a=%ff; b="\r\n'],
    ['an expectation that is none', 'host: x\r\nexpect: 200-ok\r\n'],
  ])('%s is no error of ours', async (_what, headers) => {
    const response = await overWire([
      `GET /status HTTP/1.1\r\nconnection: close\r\n${headers}\r\n`,
    ]);
    expect(response).toMatch(/^HTTP\/1\.1 [234]\d\d /);
  });
});

describe('slow and broken senders', () => {
  it('408: a body that never arrives whole is cut off, others are served meanwhile', {
    tags: ['long'],
  }, async () => {
    const startedAt = performance.now();
    const slow = overWire([
      'POST /v1/order/calldata HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
        `x-api-key: ${session.apiKey}\r\ncontent-length: 1000\r\n\r\n{"a":`,
    ]);
    expect((await session.send('GET', '/v1/status', { key: false })).status).toBe(200);
    expect(await slow).toMatch(/request_timeout|^$/);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  it('408: headers that never end are cut off', { tags: ['long'] }, async () => {
    const response = await overWire(['GET /v1/status HTTP/1.1\r\nhost: x\r\nx-slow: ']);
    expect(response).toContain('"code":"request_timeout"');
  });

  it('431, 400: headers that are too large, and what is no HTTP', async () => {
    const large = await overWire([
      `GET /v1/status HTTP/1.1\r\nhost: x\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]);
    expect(large).toContain('"code":"headers_too_large"');
    const garbage = await overWire(['GARBAGE\r\n\r\n']);
    expect(garbage).toContain('"code":"malformed_http"');
    expect(garbage).toContain('content-type: application/problem+json');
  });

  it('400: two lengths of one body, by which requests are smuggled', async () => {
    const response = await overWire([
      'POST /v1/auth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
        'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ]);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
  });
});
