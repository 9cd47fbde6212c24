import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { type OpsServer, startOpsServer } from './opsServer.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { anyFreePort } from './testing/freePort.ts';

let server: OpsServer | undefined;
let isThere = true;
let isSilent = false;
let isMeasured = true;

async function serve(): Promise<{ url: string; readiness: Readiness }> {
  const readiness = createReadiness({
    database: () => {
      if (isSilent) return new Promise(() => undefined);
      return isThere ? Promise.resolve() : Promise.reject(new Error('db.internal is gone'));
    },
  });
  const port = await anyFreePort();
  server = await startOpsServer({
    host: '127.0.0.1',
    port,
    readiness,
    metrics: () =>
      isMeasured
        ? Promise.resolve({ contentType: 'text/plain; version=0.0.4', body: 'orders 1\n' })
        : Promise.reject(new Error('not now')),
    log: createLog('test', 'silent'),
  });
  return { url: `http://127.0.0.1:${port}`, readiness };
}

afterEach(async () => {
  await server?.close();
  server = undefined;
  isThere = true;
  isSilent = false;
  isMeasured = true;
});

async function ask(url: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url);
  return { status: response.status, body: await response.json() };
}

describe('readiness', () => {
  test('a process is ready from the end of its start until it begins to stop', async () => {
    const { url, readiness } = await serve();
    expect(await ask(`${url}/readyz`)).toMatchObject({ status: 503, body: { status: 'starting' } });
    readiness.begin();
    expect(await ask(`${url}/readyz`)).toEqual({
      status: 200,
      body: { status: 'ready', parts: { database: 'ok' } },
    });
    readiness.end();
    readiness.begin();
    expect(await ask(`${url}/readyz`)).toMatchObject({ status: 503, body: { status: 'stopping' } });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test('without the database a process is not ready, and the reason names no host', async () => {
    const { url, readiness } = await serve();
    readiness.begin();
    isThere = false;
    expect(await ask(`${url}/readyz`)).toEqual({
      status: 503,
      body: { status: 'not_ready', parts: { database: 'fails' } },
    });
    isSilent = true;
    expect(await ask(`${url}/readyz`)).toEqual({
      status: 503,
      body: { status: 'not_ready', parts: { database: 'does not respond' } },
    });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

test('metrics are served; unreadable ones are a 503', async () => {
  const { url } = await serve();
  expect(await (await fetch(`${url}/metrics`)).text()).toBe('orders 1\n');
  isMeasured = false;
  expect((await fetch(`${url}/metrics`)).status).toBe(503);
  expect((await fetch(`${url}/else`)).status).toBe(404);
});

test('without a port there is no server', async () => {
  const readiness = createReadiness({});
  const metrics = () => Promise.reject(new Error('unused'));
  const log = createLog('test', 'silent');
  expect(
    await startOpsServer({ host: '127.0.0.1', port: undefined, readiness, metrics, log }),
  ).toBeUndefined();
});
