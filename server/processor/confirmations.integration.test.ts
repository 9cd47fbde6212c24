import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { Stack } from '#sandbox/stack/startStack.ts';
import { type ChainFaultControl, controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import {
  chainReader,
  createDeployedTrader,
  sendTransactions,
} from '#sandbox/testing/chainTrader.ts';
import { startTestStack } from '#sandbox/testing/testStack.ts';
import {
  findLiquidMarket,
  orderBody,
  readHoldings,
  signIn,
  untilComplete,
} from '#sandbox/testing/trader.ts';

/** A block counts only after this many confirmations; until then it may disappear. */

const CONFIRMATIONS = 4;
const BLOCK_MS = 150;
const FAUCET_USDC_MICROS = 10_000_000_000n;

const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-confirmations-'));
let stack: Stack;
let faults: ChainFaultControl;
let database: pg.Client;
let blocks: NodeJS.Timeout | undefined;
let ticker = '';

/** The local chain mines only on transactions; real chains mine all the time. */
function makeBlocks(): void {
  blocks = setInterval(() => void faults.mine().catch(() => undefined), BLOCK_MS);
}

beforeAll(async () => {
  const environment = { SERVE_PAGES: 'false', CHAIN_CONFIRMATIONS: String(CONFIRMATIONS) };
  stack = await startTestStack({ dataDir, environment });
  faults = controlChainFaults(stack.description());
  database = new pg.Client({ connectionString: stack.description().databaseUrl });
  await database.connect();
  ticker = await findLiquidMarket(await signIn(stack.description()));
});
afterAll(async () => {
  clearInterval(blocks);
  await database?.end();
  await stack?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function readCursor(): Promise<bigint> {
  const { rows } = await database.query<{ at: string }>(
    `select block_number::text as at from chain_cursors where name = 'contracts'`,
  );
  return BigInt(rows[0]?.at ?? 0);
}

test('given a request that disappears before its confirmation, the order does not continue', {
  tags: ['long'],
}, async () => {
  const sandbox = stack.description();
  const trader = await createDeployedTrader(sandbox);
  const body = orderBody(sandbox, trader, {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts: '5',
    quoteLimit: '4.9',
  });
  const { intent, transactions } = await trader.api.createCalldataOrder(body);
  await sendTransactions(sandbox, trader, transactions);
  const requestedIn = await chainReader(sandbox).getBlockNumber();
  await faults.mine(CONFIRMATIONS - 2);
  const read = await pollUntil(
    async () => ((await readCursor()) === requestedIn - 1n ? true : undefined),
    { timeoutMs: 10_000 },
  );
  expect(read).toBe(true);
  await faults.reorganise(CONFIRMATIONS - 1, { drop: [trader.wallet.address] });
  await faults.mine(CONFIRMATIONS);
  await pollUntil(async () => ((await readCursor()) > requestedIn ? true : undefined), {
    timeoutMs: 10_000,
  });
  expect(await trader.api.getOrder(intent.id)).toMatchObject({ status: 'pending' });
  const attempts = await database.query('select 1 from exchange_attempts where order_id = $1', [
    intent.id,
  ]);
  expect(attempts.rowCount).toBe(0);

  await sendTransactions(sandbox, trader, transactions);
  makeBlocks();
  const order = await untilComplete(trader, intent.id);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
  expect(await readHoldings(sandbox, trader.account, { ticker, side: 'yes' })).toEqual({
    contractMicros: 5_000_000n,
    usdcMicros: FAUCET_USDC_MICROS - parseMicros(order.quoteAmount ?? ''),
  });
});
