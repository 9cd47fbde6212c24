import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientAddress } from './clientAddress.ts';
import type { ApiRequest, ApiResponse } from './message.ts';
import { createWebHandler } from './nextMount.ts';
import { createNodeHandler, isApiPath } from './nodeMount.ts';

const LIMIT_BYTES = 1_000;

let aborted: Promise<void>;

/** Tells in its answer what it was asked. */
const echo = {
  async handle(request: ApiRequest): Promise<ApiResponse> {
    const headers = { 'content-type': 'application/json', 'x-echo': 'yes' };
    if (request.path === '/v1/endless') {
      aborted = new Promise((resolve) => {
        request.signal.addEventListener('abort', () => resolve());
      });
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
      });
      return { status: 200, headers, body };
    }
    if (request.method === 'HEAD') return { status: 200, headers, body: null };
    const body = request.method === 'POST' ? await request.readBody(LIMIT_BYTES) : 'none';
    const { method, path, search } = request;
    const told = {
      method,
      path,
      search,
      key: request.header('x-api-key') ?? null,
      coding: request.header('accept-encoding') ?? null,
      body: typeof body === 'string' ? body : new TextDecoder().decode(body),
    };
    return { status: 201, headers, body: JSON.stringify(told) };
  },
};

let server: Server;
let baseUrl: string;

beforeAll(async () => {
  server = createServer(createNodeHandler(echo, clientAddress([])));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const web = createWebHandler(() => Promise.resolve(echo));

const mounts = {
  node: (path: string, init?: RequestInit) => fetch(`${baseUrl}${path}`, init),
  next: (path: string, init?: RequestInit) => web(new Request(`${baseUrl}${path}`, init)),
};

describe.each(Object.entries(mounts))('the %s mount', (_, send) => {
  it('hands on path, query and headers as they came', async () => {
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

  it('hands on the body', async () => {
    const response = await send('/v1/a', { method: 'POST', body: '{"ä":1}' });
    expect(await response.json()).toMatchObject({ body: '{"ä":1}' });
  });

  it('stops reading a body at the limit, with and without its length given', async () => {
    const large = 'x'.repeat(LIMIT_BYTES * 50);
    const stream = new Blob([large]).stream();
    for (const body of [large, stream]) {
      const response = await send('/v1/a', { method: 'POST', body, duplex: 'half' } as RequestInit);
      expect(await response.json()).toMatchObject({ body: 'too_large' });
    }
  });

  it('answers HEAD without a body', async () => {
    const response = await send('/v1/a', { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });
});

it('node joins a header that came more than once', async () => {
  const lines = [
    'GET /v1/a HTTP/1.1',
    'host: x',
    'accept-encoding: gzip',
    'Accept-Encoding: br',
    'connection: close',
  ];
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(baseUrl).port) });
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
  expect(await text(socket)).toContain('"coding":"gzip, br"');
});

it('sends streams as they come, and notices when the client goes away', async () => {
  const client = new AbortController();
  const response = await fetch(`${baseUrl}/v1/endless`, { signal: client.signal });
  const first = await response.body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toBe('first');
  client.abort();
  await expect(aborted).resolves.toBeUndefined();
});

it('knows which paths are the API’s', () => {
  for (const path of ['/v1', '/v1/', '/v1/order', '/.well-known/jwks.json']) {
    expect(isApiPath(path)).toBe(true);
  }
  for (const path of ['/', '/v1x', '/v2', '/markets/v1', '/.well-known/other']) {
    expect(isApiPath(path)).toBe(false);
  }
});

it('leaves compressing to Next where Next sends the answer', async () => {
  const asked = { headers: { 'accept-encoding': 'br' } };
  expect(await (await mounts.node('/v1/thing', asked)).json()).toMatchObject({ coding: 'br' });
  expect(await (await mounts.next('/v1/thing', asked)).json()).toMatchObject({ coding: null });
});
