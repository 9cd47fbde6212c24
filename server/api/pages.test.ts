import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compressAssets } from './compressAssets.ts';
import { createStaticFiles, isStaticPath } from './pages.ts';

const SCRIPT = `console.log('${'prices '.repeat(400)}');`;
const built = mkdtempSync(join(tmpdir(), 'crossbook-static-'));
let server: Server;

beforeAll(async () => {
  const folder = join(built, 'static');
  mkdirSync(join(folder, 'chunks'), { recursive: true });
  writeFileSync(join(built, 'secret.json'), '{}');
  writeFileSync(join(folder, 'chunks', 'page.js'), SCRIPT);
  writeFileSync(join(folder, 'chunks', 'small.css'), 'a{}');
  await compressAssets(folder);
  const files = createStaticFiles(folder);
  server = createServer((message, response) => {
    response.setHeader('x-frame-options', 'DENY');
    files(message, response, () => response.writeHead(404).end(`next ${message.url}`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.close();
  rmSync(built, { recursive: true, force: true });
});

/** As it goes over the wire: nothing is unpacked, no path is tidied. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: '127.0.0.1', path, headers, method }).end();
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = await response.toArray();
  const body = Buffer.concat(chunks);
  const { statusCode: status } = response;
  return { status, headers: response.headers, bytes: body.length, text: body.toString() };
}

const PAGE = '/_next/static/chunks/page.js';

describe('what the build made for browsers', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    [undefined, undefined],
  ])('comes in the form that is taken: %s', async (accepted, encoding) => {
    const response = await ask(PAGE, accepted ? { 'accept-encoding': accepted } : {});
    expect(response).toMatchObject({ status: 200 });
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.headers['cache-control']).toBe('public,max-age=31536000,immutable');
    expect(response.headers.vary).toBe('Accept-Encoding');
    expect(response.headers['content-type']).toMatch(/^text\/javascript/);
    expect(response.headers['x-frame-options']).toBe('DENY');
    if (encoding) expect(response.bytes).toBeLessThan(SCRIPT.length / 4);
    else expect(response.text).toBe(SCRIPT);
  });

  it('is as it is when it is small', async () => {
    const response = await ask('/_next/static/chunks/small.css', { 'accept-encoding': 'br' });
    expect(response).toMatchObject({ status: 200, text: 'a{}' });
    expect(response.headers['content-encoding']).toBeUndefined();
  });

  it('has a head without a body, and is not sent again to who has it', async () => {
    expect(await ask(PAGE, {}, 'HEAD')).toMatchObject({ status: 200, bytes: 0 });
    const { etag = '' } = (await ask(PAGE)).headers;
    expect(await ask(PAGE, { 'if-none-match': etag })).toMatchObject({ status: 304, bytes: 0 });
  });

  it.each([
    '/_next/static/chunks/none.js',
    '/_next/static/../secret.json',
    '/_next/static/%2e%2e/secret.json',
    '/_next/static/..%2fsecret.json',
    '/_next/static/%00',
    '/_next/static/%',
  ])('is nothing else: %s', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 404, text: `next ${path}` });
  });

  it('is only read', async () => {
    expect(await ask(PAGE, {}, 'POST')).toMatchObject({ status: 404, text: `next ${PAGE}` });
  });
});

it('knows its paths', () => {
  expect(isStaticPath(PAGE)).toBe(true);
  expect(isStaticPath('/_next/image')).toBe(false);
});
