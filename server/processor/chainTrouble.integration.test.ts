import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { encodeFunctionData, erc20Abi, type Hex, pad } from 'viem';
import { base } from 'viem/chains';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { parseMicros } from '#lib/money.ts';
import { marketKeyOf } from '#lib/outcomeToken.ts';
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
  createTrader,
  findLiquidMarket,
  orderBody,
  readHoldings,
  signIn,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import { encodeAccountExecute } from '#server/chain/accountExecute.ts';
import { type VaultOrder, vaultOrderId } from '#server/chain/vaultOrder.ts';

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
  const receipt = await chainReader(stack.description()).getTransactionReceipt({
    hash: order.transactionHash as Hex,
  });
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
    await faults.arm(kind);
    const order = await untilComplete(trader, await placeBuy(trader));
    await expectBought(trader, order);
    const operations = await operationsOf(order.id);
    expect(operations.filter((one) => one.attempt > 1 || one.versions > 1)).toEqual([]);
  });
});

describe('funds locked for no order', () => {
  function strayBuy(trader: Trader, salt: bigint): VaultOrder {
    return {
      account: trader.account,
      receiver: trader.account,
      marketKey: marketKeyOf(ticker),
      outcome: 0,
      isBuy: true,
      quantity: 3_000_000n,
      limit: 2_500_000n,
      expiry: BigInt(Math.floor(Date.now() / 1000) + 3_600),
      clientRef: pad('0x01'),
      salt,
    };
  }

  async function lock(trader: Trader, order: VaultOrder): Promise<void> {
    const { usdc, swapVault } = stack.description().contracts;
    const calls = [
      {
        to: usdc,
        value: 0n,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'approve',
          args: [swapVault, order.limit],
        }),
      },
      {
        to: swapVault,
        value: 0n,
        data: encodeFunctionData({ abi: swapVaultAbi, functionName: 'request', args: [order] }),
      },
    ];
    await sendTransactions(stack.description(), trader, [
      { to: trader.account, value: '0', data: encodeAccountExecute(calls) },
    ]);
  }

  const strayOf = async (chainOrderId: Hex) =>
    await pollUntil(
      async () => {
        const [row] = await query<{ kind: string; return_hash: string }>(
          `select kind, return_hash from stray_requests
           where chain_order_id = $1 and state = 'returned'`,
          [chainOrderId],
        );
        return row;
      },
      { timeoutMs: 15_000 },
    );

  const usdcOf = async (trader: Trader) =>
    (await readHoldings(stack.description(), trader.account, { ticker, side: 'yes' })).usdcMicros;

  test('that we issued is sent back, once, also when the answer has gaps', async () => {
    const trader = await createDeployedTrader(stack.description());
    const order = strayBuy(trader, 7n);
    await faults.arm('logs_empty', 2);
    await lock(trader, order);
    const id = vaultOrderId(base.id, stack.description().contracts.swapVault, order);
    expect(await strayOf(id)).toMatchObject({ kind: 'unknown' });
    expect(await usdcOf(trader)).toBe(FAUCET_USDC_MICROS);
    const refunds = await query(
      `select o.attempt, o.state from chain_operations o
       join stray_requests s on s.id = o.order_id where s.chain_order_id = $1`,
      [id],
    );
    expect(refunds).toEqual([{ attempt: 1, state: 'succeeded' }]);
    const { processor } = await trader.api.getStatus();
    expect(processor.strayRequests).toMatchObject({ open: 0 });
    expect(processor.strayRequests?.total).toBeGreaterThan(0);
  });

  test('that had ended before is sent back, and the order says so', async () => {
    const trader = await createDeployedTrader(stack.description());
    const issued = await trader.api.createCalldataOrder(calldataBody(trader));
    // As if the processor had been away until long after the order's time.
    await query(
      `update orders set status = 'failed', stage = 'done', is_complete = true,
         termination_reason = 'not_submitted', completed_at = now() where id = $1`,
      [issued.intent.id],
    );
    await sendTransactions(stack.description(), trader, issued.transactions);
    const order = await pollUntil(
      async () => {
        const seen = await trader.api.getOrder(issued.intent.id);
        return seen.returnedQuoteAmount === null ? undefined : seen;
      },
      { timeoutMs: 15_000 },
    );
    expect(order).toMatchObject({
      status: 'failed',
      terminationReason: 'not_submitted',
      returnedQuoteAmount: '3.9',
      filledBaseQuantity: '0',
    });
    expect(order?.events.map((event) => event.type)).toEqual([
      'created',
      'requested_too_late',
      'returned',
    ]);
    expect(await usdcOf(trader)).toBe(FAUCET_USDC_MICROS);
  });

  test('after the user had cancelled it is sent back', async () => {
    const trader = await createDeployedTrader(stack.description());
    const issued = await trader.api.createCalldataOrder(calldataBody(trader));
    await trader.api.cancelOrder(issued.intent.id);
    await sendTransactions(stack.description(), trader, issued.transactions);
    const order = await untilComplete(trader, issued.intent.id);
    expect(order).toMatchObject({
      status: 'failed',
      terminationReason: 'cancelled',
      returnedQuoteAmount: '3.9',
    });
    expect(await usdcOf(trader)).toBe(FAUCET_USDC_MICROS);
  });

  const calldataBody = (trader: Trader) =>
    orderBody(stack.description(), trader, {
      direction: 'BUY',
      ticker,
      side: 'yes',
      contracts: '4',
      bound: '3.9',
    });
});
