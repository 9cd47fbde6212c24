import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { KeptResponse } from './keptAnswer.ts';
import type { ApiRequest } from './message.ts';

const LONG = JSON.stringify({ text: 'market '.repeat(500) });

const asking = (headers: Record<string, string> = {}) =>
  ({ header: (name: string) => headers[name] }) as ApiRequest;

const textOf = (body: unknown) => Buffer.from(body as Uint8Array).toString('utf8');

describe('what is kept', () => {
  const answer = new KeptResponse(LONG);

  it('is sent plain to whoever does not say what it takes', () => {
    const { status, headers, body } = answer.respond(asking(), 200);
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBeUndefined();
    expect(textOf(body)).toBe(LONG);
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['GZIP', 'gzip'],
    ['deflate', undefined],
    ['br;q=0.0', undefined],
  ])('is sent to one that takes %s as %s', (accepted, coding) => {
    const { headers, body } = answer.respond(asking({ 'accept-encoding': accepted }), 200);
    expect(headers['content-encoding']).toBe(coding);
    const bytes = body as Uint8Array;
    const plain =
      coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(textOf(plain)).toBe(LONG);
    expect(headers.vary).toContain('accept-encoding');
  });

  it('is sent plain when it is short', () => {
    const { headers } = new KeptResponse('{}').respond(asking({ 'accept-encoding': 'br' }), 200);
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('is not sent again to whoever has it, in any coding', () => {
    const { headers } = answer.respond(asking({ 'accept-encoding': 'br' }), 200);
    const known = headers.etag ?? '';
    for (const tag of [known, `"other", W/${known}`, '*']) {
      const again = answer.respond(asking({ 'if-none-match': tag }), 200);
      expect(again).toMatchObject({ status: 304, body: null });
      expect(again.headers.etag).toBeDefined();
    }
    expect(answer.respond(asking({ 'if-none-match': '"other"' }), 200).status).toBe(200);
  });

  it('has another validator when it is another', () => {
    const etagOf = (json: string) => new KeptResponse(json).respond(asking(), 200).headers.etag;
    expect(etagOf('{"a":1}')).toBe(etagOf('{"a":1}'));
    expect(etagOf('{"a":1}')).not.toBe(etagOf('{"a":2}'));
  });
});
