import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { CachedResponse } from './cachedResponse.ts';
import type { ApiEnv } from './env.ts';

const LONG = JSON.stringify({ text: 'market '.repeat(500) });

/** What is sent of it to a request with these headers. */
async function send(cached: CachedResponse, headers: Record<string, string> = {}) {
  const app = new Hono<ApiEnv>().get('/', (c) => cached.respond(c));
  const response = await app.request('/', { headers });
  return {
    status: response.status,
    header: (name: string) => response.headers.get(name),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

describe('a cached response', () => {
  const cached = new CachedResponse(LONG);

  it('given no accepted coding, is sent plain', async () => {
    const { status, header, bytes } = await send(cached);
    expect(status).toBe(200);
    expect(header('content-encoding')).toBeNull();
    expect(bytes.toString()).toBe(LONG);
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate', null],
    ['br;q=0.0', null],
  ])('given accept-encoding %s, is sent as %s', async (accepted, coding) => {
    const { header, bytes } = await send(cached, { 'accept-encoding': accepted });
    expect(header('content-encoding')).toBe(coding);
    const plain =
      coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(plain.toString()).toBe(LONG);
    expect(header('vary')).toContain('accept-encoding');
  });

  it('given a short text, is sent plain', async () => {
    const { header } = await send(new CachedResponse('{}'), { 'accept-encoding': 'br' });
    expect(header('content-encoding')).toBeNull();
  });

  it('given its validator in any coding, is not sent again', async () => {
    const known = (await send(cached, { 'accept-encoding': 'br' })).header('etag') ?? '';
    for (const tag of [known, `"other", W/${known}`, '*']) {
      const again = await send(cached, { 'if-none-match': tag });
      expect(again).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
      expect(again.header('etag')).not.toBeNull();
      expect(again.header('content-type')).toBeNull();
    }
    expect((await send(cached, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('has another validator when it is another', async () => {
    const etagOf = async (json: string) => (await send(new CachedResponse(json))).header('etag');
    expect(await etagOf('{"a":1}')).toBe(await etagOf('{"a":1}'));
    expect(await etagOf('{"a":1}')).not.toBe(await etagOf('{"a":2}'));
  });
});
