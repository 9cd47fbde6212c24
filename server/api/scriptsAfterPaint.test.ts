import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import compression from 'compression';
import { afterEach, describe, expect, test } from 'vitest';
import { START_SCRIPTS_AFTER_PAINT } from '#lib/scriptsAfterPaint.ts';
import { createScriptHolder, holdScriptsOf } from './scriptsAfterPaint.ts';

const PAGE = [
  '<!DOCTYPE html><html><head><link rel="stylesheet" href="/_next/static/a.css"/>',
  '<link rel="preload" as="script" fetchPriority="low" nonce="N==" href="/_next/static/main.js"/>',
  '<script src="/_next/static/a.js?dpl=1" async="" nonce="N=="></script>',
  '<script src="/_next/static/old.js" noModule="" nonce="N=="></script></head>',
  '<body>Zürich &lt;script src="/_next/static/a.js" async=""&gt; 5 &lt; 7 €',
  '<script nonce="N==">self.f=["\\u003cscript src=\\"/_next/static/a.js\\" async=\\"\\">"]</script>',
  '<script src="https://elsewhere.example/x.js" async=""></script>',
  '<script src="/_next/static/main.js" id="_R_" nonce="N==" async=""></script></body></html>',
].join('');

const HELD = PAGE.replace(/<link rel="preload"[^>]*>/, '')
  .replace(
    '<script src="/_next/static/a.js?dpl=1" async="" nonce="N==">',
    `<script>${START_SCRIPTS_AFTER_PAINT}</script><script data-src="/_next/static/a.js?dpl=1" nonce="N==">`,
  )
  .replace(
    '<script src="/_next/static/main.js" id="_R_" nonce="N==" async="">',
    '<script data-src="/_next/static/main.js" id="_R_" nonce="N==">',
  );

describe('a page', () => {
  test('has its own scripts held back, and nothing else is touched', () => {
    const holder = createScriptHolder();
    expect(holder.push(PAGE) + holder.rest()).toBe(HELD);
  });

  test('comes out the same wherever it is cut', () => {
    for (let cut = 0; cut <= PAGE.length; cut += 1) {
      const holder = createScriptHolder();
      const parts = [holder.push(PAGE.slice(0, cut)), holder.push(PAGE.slice(cut)), holder.rest()];
      expect(parts.join(''), `cut at ${cut}`).toBe(HELD);
    }
  });

  test('that only its scripts can fill keeps them as they are', () => {
    const empty = PAGE.replace('<html>', '<html id="__next_error__">');
    for (const cut of [0, 20, 30, 200, 250]) {
      const holder = createScriptHolder();
      const parts = [
        holder.push(empty.slice(0, cut)),
        holder.push(empty.slice(cut)),
        holder.rest(),
      ];
      expect(parts.join(''), `cut at ${cut}`).toBe(empty);
    }
  });

  test('does not wait for the end of what is no tag', () => {
    const holder = createScriptHolder();
    const text = `a < b${'x'.repeat(600)}`;
    expect(holder.push(text)).toBe(text);
  });
});

let server: Server | undefined;

afterEach(() => {
  server?.close();
});

async function answerOf(
  answer: (response: ServerResponse) => void,
  headers: Record<string, string> = {},
  method = 'GET',
) {
  const compress = compression();
  server = createServer((message, response) =>
    compress(message, response, () => {
      holdScriptsOf(response);
      answer(response);
    }),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: '127.0.0.1', method, headers }).end();
  const [response] = await once(sent, 'response');
  const body: Buffer = Buffer.concat(await response.toArray());
  return { headers: response.headers as Record<string, string>, body };
}

const asPage = (response: ServerResponse) =>
  response.setHeader('content-type', 'text/html; charset=utf-8');

describe('an answer', () => {
  test('that is a page of known length is held back and told without that length', async () => {
    const { headers, body } = await answerOf((response) => {
      asPage(response);
      response.setHeader('content-length', Buffer.byteLength(PAGE)).end(PAGE);
    });
    expect(body.toString()).toBe(HELD);
    expect(headers['content-length']).not.toBe(String(Buffer.byteLength(PAGE)));
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('in pieces that cut letters in two, packed: %s', async (encoding, unpack) => {
    const bytes = Buffer.from(PAGE);
    const { headers, body } = await answerOf(
      (response) => {
        asPage(response);
        for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
        response.end();
      },
      { 'accept-encoding': encoding },
    );
    expect(headers['content-encoding']).toBe(encoding);
    expect(unpack(body).toString()).toBe(HELD);
  });

  test('that ends in the middle of a tag loses none of it', async () => {
    const { body } = await answerOf((response) => {
      asPage(response);
      response.write('a<script src="/_next');
      response.end('/static');
    });
    expect(body.toString()).toBe('a<script src="/_next/static');
  });

  test('that is no page stays as it is', async () => {
    const { headers, body } = await answerOf((response) => {
      response.setHeader('content-type', 'text/x-component');
      response.setHeader('content-length', Buffer.byteLength(PAGE)).end(PAGE);
    });
    expect(body.toString()).toBe(PAGE);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(PAGE)));
  });

  test('without a body has none', async () => {
    const { body } = await answerOf((response) => asPage(response) && response.end(), {}, 'HEAD');
    expect(body).toHaveLength(0);
  });
});
