import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientAddress } from './middleware/clientAddress.ts';
import type { ApiEnv } from './middleware/env.ts';
import { createNextHandler } from './nextHandlers.ts';
import { createNodeListener, isApiPath } from './nodeListener.ts';

const SCOPE = { publicBaseUrl: 'https://crossbook.test', wallets: { baseAccount: false } };

let aborted: Promise<void>;

/** Says in its response what it was asked. */
const echo = new Hono<ApiEnv>({ getPath: (_request, options) => options?.env?.path ?? '' });
echo.get('/v1/endless', (c) => {
  let cancelled: () => void = () => undefined;
  aborted = new Promise((resolve) => {
    cancelled = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
    cancel: () => cancelled(),
  });
  return c.body(body, 200);
});
echo.all('*', async (c) => {
  const { path, search } = c.env;
  const body = c.req.method === 'POST' ? await c.req.text() : 'none';
  return c.json(
    {
      method: c.req.method,
      path,
      search,
      key: c.req.header('x-api-key') ?? null,
      coding: c.req.header('accept-encoding') ?? null,
      body,
    },
    201,
    { 'x-echo': 'yes' },
  );
});

let server: Server;
let baseUrl: string;

beforeAll(async () => {
  server = createServer(createNodeListener(echo, clientAddress([]), SCOPE));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const next = createNextHandler(() => Promise.resolve(echo));

const servers = {
  node: (path: string, init?: RequestInit) => fetch(`${baseUrl}${path}`, init),
  next: (path: string, init?: RequestInit) => next(proxied(new Request(`${baseUrl}${path}`, init))),
};

/** As Next hands a request in. */
function proxied(request: Request): Request {
  return new Proxy(request, {
    get: (target, name): unknown => Reflect.get(target, name, target),
  });
}

/** What comes back for these lines of a request. */
async function overWire(lines: string[]): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) });
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
  return await text(socket);
}

describe.each(Object.entries(servers))('served by %s', (_, send) => {
  it('given a path, a query and headers, the app gets them as they came', async () => {
    const response = await send('/v1/a%2Fb?x=1&x=%20', { headers: { 'X-Api-Key': 'k' } });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-echo')).toBe('yes');
    expect(await response.json()).toMatchObject({
      method: 'GET',
      path: '/v1/a%2Fb',
      search: 'x=1&x=%20',
      key: 'k',
      body: 'none',
    });
  });

  it('given a body, the app gets it', async () => {
    const response = await send('/v1/a', { method: 'POST', body: '{"ä":1}' });
    expect(await response.json()).toMatchObject({ body: '{"ä":1}' });
  });

  it('given HEAD, there is no body', async () => {
    const response = await send('/v1/a', { method: 'HEAD' });
    expect(response.status).toBe(201);
    expect(await response.text()).toBe('');
  });
});

describe('served by node', () => {
  it('given a header more than once, the app gets it joined', async () => {
    const lines = ['GET /v1/a HTTP/1.1', 'host: x', 'accept-encoding: gzip', 'Accept-Encoding: br'];
    expect(await overWire([...lines, 'connection: close'])).toContain('"coding":"gzip, br"');
  });

  it('given dot segments, the path stays as it was sent', async () => {
    const lines = ['GET /v1/x/../a HTTP/1.1', 'host: x', 'connection: close'];
    expect(await overWire(lines)).toContain('"path":"/v1/x/../a"');
  });

  it('given a host that is none, refuses in the form of every other error', async () => {
    const received = await overWire(['GET /v1/a HTTP/1.1', 'host: a b/?#', 'connection: close']);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toContain('"code":"malformed_http"');
  });

  it('given a client that goes away, ends the stream it was sent', async () => {
    const client = new AbortController();
    const response = await fetch(`${baseUrl}/v1/endless`, { signal: client.signal });
    const first = await response.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toBe('first');
    client.abort();
    await expect(aborted).resolves.toBeUndefined();
  });
});

it('knows which paths are the API’s', () => {
  for (const path of ['/v1', '/v1/', '/v1/order', '/.well-known/jwks.json']) {
    expect(isApiPath(path)).toBe(true);
  }
  for (const path of ['/', '/v1x', '/v2', '/markets/v1', '/.well-known/other']) {
    expect(isApiPath(path)).toBe(false);
  }
});

it('leaves compressing to Next where Next sends the response', async () => {
  const asked = { headers: { 'accept-encoding': 'br' } };
  expect(await (await servers.node('/v1/thing', asked)).json()).toMatchObject({ coding: 'br' });
  expect(await (await servers.next('/v1/thing', asked)).json()).toMatchObject({ coding: null });
});
