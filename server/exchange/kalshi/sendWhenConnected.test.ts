import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { sendWhenConnected } from './sendWhenConnected.ts';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  open.push(server);
  return (server.address() as AddressInfo).port;
}

/** A server that records the messages it receives. */
async function noting(): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(body);
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"ok":true}');
    });
  });
  return { url: `http://127.0.0.1:${await listen(server)}/orders`, received };
}

const post = (url: string, body: () => Promise<string | undefined>, timeoutMs = 5_000) =>
  sendWhenConnected(url, {
    method: 'POST',
    headers: {},
    body,
    signal: AbortSignal.timeout(timeoutMs),
  });

test('sends a message with its body over new and reused connections', async () => {
  const { url, received } = await noting();
  for (const body of ['{"a":1}', '{"b":"€"}']) {
    expect(await post(url, async () => body)).toMatchObject({ status: 201, text: '{"ok":true}' });
  }
  expect(received).toEqual(['{"a":1}', '{"b":"€"}']);
});

test('given no body, sends nothing', async () => {
  const { url, received } = await noting();
  expect(await post(url, async () => undefined)).toBeUndefined();
  await expect(post(url, () => Promise.reject(new Error('no permit')))).rejects.toThrow(
    'no permit',
  );
  expect(await post(url, async () => 'after')).toMatchObject({ status: 201 });
  expect(received).toEqual(['after']);
});

test('requests the body only after the connection is established', async () => {
  const { url } = await noting();
  const target = new URL(url);
  let hasConnected = false;
  const gate = createTcpServer((socket: Socket) => {
    hasConnected = true;
    const behind = connect(Number(target.port), target.hostname);
    socket.pipe(behind).pipe(socket);
  });
  const port = await listen(gate);
  let wasConnected: boolean | undefined;
  await post(`http://127.0.0.1:${port}/orders`, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    wasConnected = hasConnected;
    return '{}';
  });
  expect(wasConnected).toBe(true);
});

test('given a refused connection, never requests the body', async () => {
  const server = createTcpServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  open.length = 0;
  let wasAsked = false;
  const asking = post(`http://127.0.0.1:${port}/orders`, async () => {
    wasAsked = true;
    return '{}';
  });
  await expect(asking).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(wasAsked).toBe(false);
});

test('given a silent server, ends at the message’s timeout', async () => {
  const port = await listen(createTcpServer(() => undefined));
  const asking = post(`http://127.0.0.1:${port}/orders`, async () => '{}', 200);
  await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
});
