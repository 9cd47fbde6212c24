import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createPublicClient, type Hex, http } from 'viem';
import { base } from 'viem/chains';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { parseMicros } from '#lib/money.ts';
import type { Stack } from '#sandbox/stack/startStack.ts';
import { type ChainFaultControl, controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import { startTestStack } from '#sandbox/testing/testStack.ts';
import {
  createTrader,
  findLiquidMarket,
  orderBody,
  readHoldings,
  signIn,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-trouble-'));
const faultDir = join(dataDir, 'faults');
const FAUCET_USDC_MICROS = 10_000_000_000n;

let stack: Stack;
let faults: ChainFaultControl;
let database: pg.Client;
let ticker = '';

beforeAll(async () => {
  mkdirSync(faultDir);
  const environment = { SANDBOX_FAULT_DIR: faultDir, SERVE_PAGES: 'false' };
  stack = await startTestStack({ dataDir, environment });
  faults = controlChainFaults(stack.description());
  database = new pg.Client({ connectionString: stack.description().databaseUrl });
  await database.connect();
  ticker = await findLiquidMarket(await signIn(stack.description()));
});
afterEach(() => faults.clear());
afterAll(async () => {
  await database?.end();
  await stack?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const reader = () =>
  createPublicClient({ chain: base, transport: http(stack.description().rpcUrl), cacheTime: 0 });

async function placeBuy(trader: Trader, contracts = '5'): Promise<string> {
  const { intent } = await trader.api.createOrder(
    orderBody(stack.description(), trader, {
      direction: 'BUY',
      ticker,
      side: 'yes',
      contracts,
      bound: `${Number(contracts) - 0.1}`,
    }),
  );
  return intent.id;
}

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
  return (await database.query<Row>(text, values)).rows;
}

/** A completed purchase must look the same whatever the chain did on the way. */
async function expectBought(trader: Trader, order: OrderRecordWithEvents): Promise<void> {
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
  expect(await readHoldings(stack.description(), trader.account, { ticker, side: 'yes' })).toEqual({
    contractMicros: 5_000_000n,
    usdcMicros: FAUCET_USDC_MICROS - parseMicros(order.quoteAmount ?? ''),
  });
  const receipt = await reader().getTransactionReceipt({ hash: order.transactionHash as Hex });
  expect(receipt.status).toBe('success');
}

type SentOperation = {
  kind: string;
  attempt: number;
  state: string;
  failure: string | null;
  versions: number;
  transactionState: string;
};

const operationsOf = (id: string) =>
  query<SentOperation>(
    `select o.kind, o.attempt, o.state, o.failure, t.state as "transactionState",
       1 + (select count(*)::int from chain_replacements r where r.transaction_id = t.id) as versions
     from chain_operations o left join chain_transactions t on t.id = o.transaction_id
     where o.order_id = $1 order by o.created_at, o.attempt`,
    [id],
  );

describe('a broadcast', () => {
  test.each([
    'broadcast_dropped',
    'broadcast_error_before',
    'broadcast_error_after',
    'broadcast_cut_after',
    'broadcast_twice',
  ] as const)('that goes wrong is made good: %s', async (kind) => {
    const trader = await createTrader(stack.description());
    await faults.arm(kind, 2);
    const order = await untilComplete(trader, await placeBuy(trader));
    await expectBought(trader, order);
    const operations = await operationsOf(order.id);
    expect(operations.filter((one) => one.attempt > 1 || one.versions > 1)).toEqual([]);
  });
});
