import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type CrossbookClient, createClient } from '#lib/api/client.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { environmentOf, startSibling } from '#sandbox/process/siblings.ts';
import type { RunningPart } from '#sandbox/process/supervised.ts';
import {
  createTrader,
  fetchToken,
  findLiquidMarket,
  orderBody,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';

/**
 * A web server that serves the interface through Next's route handlers (API_MOUNT=next) beside the
 * usual one. The long run sends it every test of the interface.
 */

const sandbox = inject('sandbox');
const folder = mkdtempSync(join(tmpdir(), 'crossbook-mount-'));
let web: RunningPart;
let baseUrl = '';

beforeAll(async () => {
  const port = await anyFreePort();
  baseUrl = `http://localhost:${port}`;
  const [pid = 0] = sandbox.pids.web;
  web = await startSibling(pid, {
    entry: 'server/api/main.ts',
    logFile: join(folder, 'web.log'),
    changes: { PORT: String(port), PUBLIC_BASE_URL: sandbox.baseUrl, API_MOUNT: 'next' },
  });
  expect(environmentOf(web.pids[0] ?? 0).API_MOUNT).toBe('next');
});

afterAll(async () => {
  await web?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function buy(trader: Trader, api: CrossbookClient, ticker: string): Promise<string> {
  const order = { direction: 'BUY', side: 'yes', contracts: '1', quoteLimit: '0.99' } as const;
  return (await api.createOrder(orderBody(sandbox, trader, { ...order, ticker }))).intent.id;
}

/** Next adds names to `vary`. */
const COMPARED = [
  'content-type',
  'cache-control',
  'content-security-policy',
  'access-control-allow-origin',
  'www-authenticate',
  'allow',
];

async function read(base: string, path: string, init: RequestInit) {
  const response = await fetch(`${base}${path}`, init);
  const text = await response.text();
  return {
    path,
    status: response.status,
    headers: COMPARED.map((name) => response.headers.get(name)),
    // The id of a request differs in every response.
    text: text.replaceAll(/"(requestId|instance)":"[^"]*"/g, ''),
  };
}

test('responds as the usual one: documents, errors, tables and pictures', async () => {
  const trader = await createTrader(sandbox);
  const ticker = await findLiquidMarket(trader);
  const id = await buy(trader, trader.api, ticker);
  await untilComplete(trader, id);
  // Orders that other tests place with the shared key would differ from one list to the next.
  const { secret } = await trader.api.createKey({ name: 'Compares', scopes: ['read', 'trade'] });
  const key = { 'x-api-key': secret };
  const token = await fetchToken(createClient(sandbox), trader.wallet);
  const owner = { ...key, authorization: `Bearer ${token}` };
  const json = { ...key, 'content-type': 'application/json' };
  const requests: [string, RequestInit][] = [
    ['/v1/openapi.json', {}],
    ['/v1/reference', {}],
    ['/.well-known/jwks.json', {}],
    [`/v1/tokens/market/${ticker}/yes`, {}],
    ['/v1/prediction-market/markets?limit=none', { headers: key }],
    ['/v1/nothing', { headers: key }],
    ['/v1/order', { headers: key }],
    ['/v1/order', { headers: owner }],
    ['/v1/order', { method: 'DELETE', headers: key }],
    ['/v1/order', { method: 'POST', body: '{', headers: json }],
    ['/v1/orders', { headers: { 'x-api-key': '' } }],
    ['/v1/exports/orders.csv', { headers: owner }],
    ['/v1/order', { method: 'OPTIONS', headers: { origin: 'https://a.example' } }],
  ];
  const readAll = (base: string) =>
    Promise.all(requests.map(([path, init]) => read(base, path, init)));
  const usual = await readAll(sandbox.baseUrl);
  expect(await readAll(baseUrl)).toEqual(usual);
  const listing = usual.filter(({ text }) => text.includes(id)).map(({ path }) => path);
  expect(listing).toEqual(['/v1/order', '/v1/exports/orders.csv']);
});

test('takes an order, and streams its events', async () => {
  const trader = await createTrader(sandbox);
  const ticker = await findLiquidMarket(trader);
  const token = await fetchToken(createClient({ ...sandbox, baseUrl }), trader.wallet);
  const api = createClient({ baseUrl, apiKey: sandbox.apiKey, token });
  const stream = await fetch(`${baseUrl}/v1/stream`, {
    headers: { 'x-api-key': sandbox.apiKey, authorization: `Bearer ${token}` },
  });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  const id = await buy(trader, api, ticker);
  const decoder = new TextDecoder();
  let received = '';
  for await (const chunk of stream.body ?? []) {
    received += decoder.decode(chunk, { stream: true });
    if (received.includes(id)) break;
  }
  expect(received).toContain(id);
  expect((await api.getOrder(id)).id).toBe(id);
});
