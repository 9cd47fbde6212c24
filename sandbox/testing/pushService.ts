import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SubscribePushRequest } from '#lib/api/schemas/push.ts';
import { type TestBrowser, testBrowser } from './pushBrowser.ts';

export type PushedMessage = { path: string; headers: IncomingHttpHeaders; body: Buffer };

/** A local push service: stores messages and responds as the test says. */
export type PushService = {
  origin: string;
  received: PushedMessage[];
  respondWith(reply: { status: number; headers?: Record<string, string> }): void;
  /** A browser reached through it, and its subscription. */
  newBrowser(): { browser: TestBrowser; request: SubscribePushRequest };
  close(): Promise<void>;
};

export async function startPushService(): Promise<PushService> {
  const received: PushedMessage[] = [];
  let reply: { status: number; headers?: Record<string, string> } = { status: 201 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      received.push({ path: url, headers, body: Buffer.concat(chunks) });
      response.writeHead(reply.status, reply.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    received,
    respondWith(next) {
      reply = next;
    },
    newBrowser() {
      const browser = testBrowser();
      const endpoint = `${origin}/send/${randomBytes(16).toString('base64url')}`;
      return { browser, request: { endpoint, expirationTime: null, keys: browser.keys } };
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
