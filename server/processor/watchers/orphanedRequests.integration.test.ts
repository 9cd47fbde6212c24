import pg from 'pg';
import { encodeFunctionData, erc20Abi, type Hex, pad } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { base } from '#lib/chains.ts';
import { marketKeyOf } from '#lib/outcomeToken.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { createDeployedTrader, sendTransactions } from '#sandbox/testing/chainTrader.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import {
  findLiquidMarket,
  orderBody,
  readHoldings,
  signIn,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import { encodeAccountExecute } from '#server/chain/accountExecute.ts';
import { type VaultOrder, vaultOrderId } from '#server/chain/vaultOrder.ts';
import { FAUCET_USDC_MICROS } from '#server/domain/accounts/faucet.ts';

const sandbox = sandboxUnderTest();
let database: pg.Client;
let ticker = '';

beforeAll(async () => {
  database = new pg.Client({ connectionString: sandbox.databaseUrl });
  await database.connect();
  ticker = await findLiquidMarket(await signIn(sandbox));
});
afterAll(() => database?.end());

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
  return (await database.query<Row>(text, values)).rows;
}

describe('funds locked without an order', () => {
  function orphanedBuy(trader: Trader, salt: bigint): VaultOrder {
    return {
      account: trader.account,
      receiver: trader.account,
      marketKey: marketKeyOf(ticker),
      outcome: 0,
      isBuy: true,
      quantity: 3_000_000n,
      quoteLimit: 2_500_000n,
      expiry: BigInt(Math.floor(Date.now() / 1000) + 3_600),
      clientRef: pad('0x01'),
      salt,
    };
  }

  async function lock(trader: Trader, order: VaultOrder): Promise<void> {
    const { usdc, swapVault } = sandbox.contracts;
    const calls = [
      {
        to: usdc,
        value: 0n,
        data: encodeFunctionData({
          abi: erc20Abi,
          functionName: 'approve',
          args: [swapVault, order.quoteLimit],
        }),
      },
      {
        to: swapVault,
        value: 0n,
        data: encodeFunctionData({ abi: swapVaultAbi, functionName: 'request', args: [order] }),
      },
    ];
    await sendTransactions(sandbox, trader, [
      { to: trader.account, value: '0', data: encodeAccountExecute(calls) },
    ]);
  }

  const orphanOf = async (chainOrderId: Hex) =>
    await pollUntil(async () => {
      const [row] = await query<{ kind: string; return_hash: string }>(
        `select kind, return_hash from orphaned_requests
           where chain_order_id = $1 and state = 'returned'`,
        [chainOrderId],
      );
      return row;
    });

  const usdcOf = async (trader: Trader) =>
    (await readHoldings(sandbox, trader.account, { ticker, side: 'yes' })).usdcMicros;

  test('that we issued are returned once', async () => {
    const trader = await createDeployedTrader(sandbox);
    const order = orphanedBuy(trader, 7n);
    await lock(trader, order);
    const id = vaultOrderId(base.id, sandbox.contracts.swapVault, order);
    expect(await orphanOf(id)).toMatchObject({ kind: 'unknown' });
    expect(await usdcOf(trader)).toBe(FAUCET_USDC_MICROS);
    const refunds = await query(
      `select o.state from chain_operations o join orphaned_requests s on s.id = o.order_id
       where s.chain_order_id = $1 and o.state <> 'failed'`,
      [id],
    );
    expect(refunds).toEqual([{ state: 'succeeded' }]);
    // Other tests may have locked funds without an order, too, which are returned by and by.
    const counted = async () => (await trader.api.getStatus()).processor.strayRequests;
    await expect.poll(counted).toMatchObject({ open: 0, total: expect.any(Number) });
    expect((await counted())?.total).toBeGreaterThan(0);
  });

  test('given an order that had ended before, are returned, and its log says so', async () => {
    const trader = await createDeployedTrader(sandbox);
    const issued = await trader.api.createCalldataOrder(calldataBody(trader));
    // Simulates a processor that was down until long after the order's expiry.
    await query(
      `update orders set status = 'failed', stage = 'done', is_complete = true,
         termination_reason = 'not_submitted', completed_at = now() where id = $1`,
      [issued.intent.id],
    );
    await sendTransactions(sandbox, trader, issued.transactions);
    const order = await untilReturned(trader, issued.intent.id);
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

  test('given an order cancelled by the user, are returned when it is sent afterwards', async () => {
    const trader = await createDeployedTrader(sandbox);
    const issued = await trader.api.createCalldataOrder(calldataBody(trader));
    await trader.api.cancelOrder(issued.intent.id);
    expect(await untilComplete(trader, issued.intent.id)).toMatchObject({
      status: 'failed',
      terminationReason: 'cancelled',
      returnedQuoteAmount: null,
    });
    await sendTransactions(sandbox, trader, issued.transactions);
    expect(await untilReturned(trader, issued.intent.id)).toMatchObject({
      status: 'failed',
      terminationReason: 'cancelled',
      returnedQuoteAmount: '3.9',
      filledBaseQuantity: '0',
    });
    expect(await usdcOf(trader)).toBe(FAUCET_USDC_MICROS);
  });

  test('given a cancellation during the request, are returned in either sequence', async () => {
    const trader = await createDeployedTrader(sandbox);
    const issued = await trader.api.createCalldataOrder(calldataBody(trader));
    await Promise.all([
      sendTransactions(sandbox, trader, issued.transactions),
      // The service may have seen the lock already: then the order trades, because the cancellation
      // came too late.
      trader.api.cancelOrder(issued.intent.id).catch(() => undefined),
    ]);
    const order = await untilComplete(trader, issued.intent.id);
    if (order.status === 'completed') return;
    expect(await untilReturned(trader, issued.intent.id)).toMatchObject({
      terminationReason: 'cancelled',
      returnedQuoteAmount: '3.9',
    });
    expect(await usdcOf(trader)).toBe(FAUCET_USDC_MICROS);
  });

  const untilReturned = async (trader: Trader, id: string) =>
    await pollUntil(async () => {
      const seen = await trader.api.getOrder(id);
      return seen.returnedQuoteAmount === null ? undefined : seen;
    });

  const calldataBody = (trader: Trader) =>
    orderBody(sandbox, trader, {
      direction: 'BUY',
      ticker,
      side: 'yes',
      contracts: '4',
      quoteLimit: '3.9',
    });
});
