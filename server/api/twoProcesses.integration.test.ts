import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { ApiKeyCreated } from '#lib/api/schemas/key.ts';
import type { OrderCreated, OrderList } from '#lib/api/schemas/order.ts';
import { startNodeChild } from '#sandbox/process/nodeChild.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import type { RunningPart } from '#sandbox/process/supervised.ts';
import { generateApiKey } from '../domain/auth/apiKeys.ts';
import { generateSigningKeyJson } from '../domain/auth/signingKeys.ts';
import {
  newTrader,
  openMarket,
  openSession,
  orderBody,
  type Session,
  type Trader,
} from './testing/apiSession.ts';

/** Two real web processes beside the sandbox's own, over its database. */

type Web = { child: RunningPart; baseUrl: string };

const sandbox = inject('sandbox');
const folder = mkdtempSync(join(tmpdir(), 'crossbook-two-webs-'));
const ROUNDS = 8;

let session: Session;
let trader: Trader;
let token: string;
let webs: Web[];

async function startWeb(environment: Record<string, string>): Promise<Web> {
  const port = await anyFreePort();
  const child = await startNodeChild({
    title: 'a web server',
    entry: 'server/api/main.ts',
    logFile: join(folder, `${port}.log`),
    stopTimeoutMs: 5_000,
    signal: new AbortController().signal,
    environment: { ...environment, PORT: String(port) },
  });
  return { child, baseUrl: `http://127.0.0.1:${port}` };
}

async function commonEnvironment(): Promise<Record<string, string>> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    SERVE_PAGES: 'false',
    SANDBOX: 'true',
    PUBLIC_BASE_URL: 'http://two-webs.test',
    TRUSTED_PROXIES: '127.0.0.1',
    DATABASE_URL: sandbox.databaseUrl,
    CHAIN_RPC_URL: sandbox.rpcUrl,
    USDC_ADDRESS: sandbox.contracts.usdc,
    OUTCOME_TOKEN_ADDRESS: sandbox.contracts.outcomeToken,
    SWAP_VAULT_ADDRESS: sandbox.contracts.swapVault,
    ACCOUNT_FACTORY_ADDRESS: sandbox.contracts.accountFactory,
    OPERATOR_PRIVATE_KEYS: generatePrivateKey(),
    ATTESTOR_PRIVATE_KEY: generatePrivateKey(),
    VENUE_URL: sandbox.exchangeUrl,
    VENUE_KEY_ID: 'not-needed-for-reading',
    VENUE_PRIVATE_KEY: privateKey,
    JWT_SIGNING_KEYS: await generateSigningKeyJson(),
    PUBLISHABLE_KEY: generateApiKey('pub'),
  };
}

beforeAll(async () => {
  session = await openSession();
  trader = await newTrader(session);
  const environment = await commonEnvironment();
  webs = await Promise.all([startWeb(environment), startWeb(environment)]);
  const [first] = webs;
  if (!first) throw new Error('no web server was started');
  const { message } = await read<{ message: string }>(
    await fetch(`${first.baseUrl}/v1/auth/message?address=${trader.wallet.address}`),
  );
  const signature = await trader.wallet.signMessage({ message });
  const signedIn = await call(first, 'POST', '/v1/auth/token', { body: { message, signature } });
  token = ((await signedIn.json()) as { token: string }).token;
});

afterAll(async () => {
  await Promise.all(webs.map(({ child }) => child.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function read<Body>(response: Response): Promise<Body> {
  expect(response.ok, response.ok ? '' : await response.clone().text()).toBe(true);
  return (await response.json()) as Body;
}

const call = (
  web: Web,
  method: string,
  path: string,
  options: { body?: object; key?: string; headers?: Record<string, string> } = {},
) =>
  fetch(`${web.baseUrl}${path}`, {
    method,
    headers: {
      'x-api-key': options.key ?? session.apiKey,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(options.body ? { 'content-type': 'application/json' } : {}),
      ...options.headers,
    },
    body: options.body ? JSON.stringify(options.body) : null,
  });

/** Sends the same request to both processes at the same instant, each time twice. */
async function atOnce(path: string, body: object): Promise<string[]> {
  const responses = await Promise.all(
    [...webs, ...webs].map(async (web) =>
      read<OrderCreated>(await call(web, 'POST', path, { body })),
    ),
  );
  return responses.map((response) => response.intent.id);
}

describe('identical requests at the same instant on two web processes', () => {
  it('make one order', async () => {
    const { ticker } = await openMarket(session);
    for (let round = 0; round < ROUNDS; round++) {
      const clientId = `two-${crypto.randomUUID()}`;
      const trade = { ticker, side: 'yes', contracts: '1', buyForAtMost: '1', clientId } as const;
      const ids = await atOnce('/v1/order', orderBody(trader, trade));
      expect(new Set(ids).size).toBe(1);
    }
    const { orders } = (
      await session.send('GET', `/v1/order?userAddress=${trader.wallet.address}&limit=100`, {
        token: trader.token,
      })
    ).body as OrderList;
    expect(orders).toHaveLength(ROUNDS);
  });

  it('make one withdrawal', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const ids = await atOnce('/v1/order/withdraw', {
        intentType: 'Withdraw',
        destinationAddress: trader.wallet.address,
        amount: '1.5',
        tokenType: 'erc20',
        tokenAddress: sandbox.contracts.usdc,
        clientId: `two-${crypto.randomUUID()}`,
      });
      expect(new Set(ids).size).toBe(1);
    }
    const { orders } = (
      await session.send(
        'GET',
        `/v1/order?userAddress=${trader.wallet.address}&type=withdrawal&limit=100`,
        { token: trader.token },
      )
    ).body as OrderList;
    expect(orders).toHaveLength(ROUNDS);
  });

  it('and the second of two conflicting requests is refused', async () => {
    const { ticker } = await openMarket(session);
    const clientId = `two-${crypto.randomUUID()}`;
    const bodies = ['1', '2'].map((contracts) =>
      orderBody(trader, { ticker, side: 'no', contracts, buyForAtMost: '2', clientId }),
    );
    const statuses = await Promise.all(
      webs.map(async (web, index) => {
        const body = bodies[index];
        return (await call(web, 'POST', '/v1/order', body ? { body } : {})).status;
      }),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

async function newKey(body: object): Promise<ApiKeyCreated> {
  const [first] = webs;
  if (!first) throw new Error('no web server was started');
  return read(await call(first, 'POST', '/v1/keys', { body: { name: 'two webs', ...body } }));
}

it('a key that is revoked at one is refused by the other within seconds', async () => {
  const { key, secret } = await newKey({});
  const statuses = () =>
    Promise.all(
      webs.map(async (web) => (await call(web, 'GET', '/v1/order', { key: secret })).status),
    );
  expect(await statuses()).toEqual([200, 200]);
  const [first] = webs;
  if (first) await call(first, 'DELETE', `/v1/keys/${key.id}`);
  await vi.waitUntil(async () => (await statuses()).every((status) => status === 401), {
    timeout: 120_000,
    interval: 200,
  });
});

it('behind a proxy of ours the address is the one that the proxy saw', async () => {
  const { secret } = await newKey({ ipRanges: ['203.0.113.0/24'] });
  const from = async (forwarded: string) => {
    const [first] = webs;
    if (!first) throw new Error('no web server was started');
    const headers = { 'x-forwarded-for': forwarded };
    return (await call(first, 'GET', '/v1/order', { key: secret, headers })).status;
  };
  expect(await from('203.0.113.9')).toBe(200);
  expect(await from('203.0.113.9, 198.51.100.1')).toBe(403);
  expect(await from('198.51.100.1, 203.0.113.9')).toBe(200);
});
