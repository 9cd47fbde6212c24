import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generate } from 'openapi-typescript-codegen';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  newTrader,
  openMarket,
  openSession,
  orderBody,
  type Session,
  type Trader,
} from './testing/apiSession.ts';

/** A client made from the served description by a public generator, used as its user would. */

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

type Call<Input, Reply> = (input: Input) => Promise<Reply>;

/** What of the generated module is used here; its own types are checked by the compiler below. */
type Generated = {
  OpenAPI: { BASE: string; TOKEN: string | undefined; HEADERS: Record<string, string> };
  ApiError: new (...parts: never[]) => Error & { status: number; body: { code: string } };
  MarketsService: {
    listMarkets: Call<{ limit?: number }, { markets: { ticker: string }[]; cursor: string }>;
    getMarket: Call<{ ticker: string }, { market: { title: string } }>;
    getQuote: Call<
      { ticker: string; side: 'yes' | 'no'; contracts: number },
      { fillable: boolean; costDollars: string }
    >;
    searchMarkets: Call<{ query?: string }, { total_results_count: number }>;
  };
  OrdersService: {
    createOrder: Call<{ requestBody: object }, { intent: { id: string } }>;
    getOrder: Call<{ id: string }, { isComplete: boolean; status: string }>;
  };
  TokensService: { getPortfolio: Call<{ address: string }, unknown[]> };
  ApiKeysService: {
    createApiKey: Call<{ requestBody: object }, { key: { id: string }; secret: string }>;
    revokeApiKey: Call<{ id: string }, { key: { status: string } }>;
  };
};

let session: Session;
let trader: Trader;
let folder: string;
let client: Generated;

beforeAll(async () => {
  session = await openSession();
  trader = await newTrader(session);
  mkdirSync(join(PROJECT, '.data'), { recursive: true });
  folder = mkdtempSync(join(PROJECT, '.data', 'generated-client-'));
  const description = join(folder, 'openapi.json');
  writeFileSync(description, (await session.send('GET', '/v1/openapi.json', { key: false })).text);
  await generate({
    input: description,
    output: join(folder, 'client'),
    useOptions: true,
    useUnionTypes: true,
  });
  client = (await import(join(folder, 'client', 'index.ts'))) as Generated;
  client.OpenAPI.BASE = session.baseUrl;
  client.OpenAPI.HEADERS = { 'x-api-key': session.apiKey };
  client.OpenAPI.TOKEN = trader.token;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the generated client', () => {
  it('is sound to the compiler', async () => {
    const compiler = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig'];
    const target = ['--target', 'es2023', '--module', 'esnext', '--moduleResolution', 'bundler'];
    const file = join(folder, 'client', 'index.ts');
    const checked = await run(process.execPath, [compiler, ...options, ...target, file]).catch(
      (error: { stdout: string }) => error,
    );
    expect(checked.stdout).toBe('');
  });

  it('reads markets', async () => {
    const { markets } = await client.MarketsService.listMarkets({ limit: 2 });
    expect(markets).toHaveLength(2);
    const ticker = markets[0]?.ticker ?? '';
    const { market } = await client.MarketsService.getMarket({ ticker });
    expect(market.title).not.toBe('');
    const found = await client.MarketsService.searchMarkets({ query: market.title });
    expect(found.total_results_count).toBeGreaterThan(0);
  });

  it('quotes, orders and follows the order to its end', async () => {
    const { ticker } = await openMarket(session);
    const quote = await client.MarketsService.getQuote({ ticker, side: 'yes', contracts: 1 });
    expect(quote.fillable).toBe(true);
    const { intent } = await client.OrdersService.createOrder({
      requestBody: orderBody(trader, { ticker, side: 'yes', contracts: '1', buyForAtMost: '1' }),
    });
    const over = await vi.waitUntil(
      async () => {
        const order = await client.OrdersService.getOrder({ id: intent.id });
        return order.isComplete ? order : undefined;
      },
      { timeout: 120_000, interval: 200 },
    );
    expect(over.status).toBe('completed');
    const held = await client.TokensService.getPortfolio({ address: trader.wallet.address });
    expect(held).toHaveLength(1);
  });

  it('manages keys', async () => {
    const { key, secret } = await client.ApiKeysService.createApiKey({
      requestBody: { name: 'made by a generated client' },
    });
    expect(secret).toMatch(/^cbk_test_/);
    const revoked = await client.ApiKeysService.revokeApiKey({ id: key.id });
    expect(revoked.key.status).toBe('revoked');
  });

  it('receives errors', async () => {
    const refused = client.MarketsService.getMarket({ ticker: 'NO-SUCH-MARKET' });
    await expect(refused).rejects.toMatchObject({
      status: 404,
      body: { code: 'market_not_found' },
    });
  });
});
