import { Agent, createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { drain, sendElsewhere } from './drain.ts';

let server: Server;
const finish: (() => void)[] = [];

async function serve(): Promise<string> {
  server = createServer((request, response) => {
    if (request.url === '/slow') finish.push(() => response.end('done'));
    else response.end('done');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  server.closeAllConnections();
  finish.length = 0;
});

function ask(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

test('a request under way is finished, and its connection is then closed', async () => {
  const url = await serve();
  const agent = new Agent({ keepAlive: true });
  await ask(`${url}/`, agent);
  const slow = ask(`${url}/slow`, agent);
  await expect.poll(() => finish.length).toBe(1);
  const drained = drain(server, 10_000);
  await expect(ask(`${url}/`, new Agent())).rejects.toThrow(/ECONNREFUSED/);
  finish[0]?.();
  expect(await slow).toBe('done');
  await drained;
  agent.destroy();
});

test('given a server that will stop, a response ends its connection', async () => {
  const url = await serve();
  const connections = new Set<unknown>();
  server.on('request', ({ socket }) => connections.add(socket));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await ask(url, agent);
  await ask(url, agent);
  expect(connections.size).toBe(1);
  sendElsewhere(server);
  await ask(url, agent);
  await ask(url, agent);
  expect(connections.size).toBe(2);
  agent.destroy();
});

test('a request that does not end is cut off in time', async () => {
  const url = await serve();
  const slow = ask(`${url}/slow`, new Agent());
  const cut = expect(slow).rejects.toThrow(/hang up|ECONNRESET/);
  await expect.poll(() => finish.length).toBe(1);
  await drain(server, 100);
  await cut;
});
