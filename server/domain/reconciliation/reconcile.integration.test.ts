import { type Address, createWalletClient, encodeFunctionData, erc20Abi, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { ApiProblem } from '#lib/api/problem.ts';
import { base } from '#lib/chains.ts';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { findDifferences } from '#sandbox/testing/books.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { shardOf } from '#sandbox/testing/shards.ts';
import {
  createTrader,
  findLiquidMarket,
  orderBody,
  type Trader,
  untilComplete,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';
import { openService } from '#scripts/serviceConfig.ts';
import { type Call, encodeAccountExecute } from '../../chain/accountExecute.ts';
import { closeRuntime, openRuntime, type Runtime } from '../../runtime.ts';
import { acceptDifferences } from './adminActions.ts';

const stack = ownTestStack('reconcile');
let runtime: Runtime;
let anna: Trader;
let ben: Trader;
let ticker = '';
let otherTicker = '';

beforeAll(async () => {
  const { config } = await openService(stack.dataDir);
  runtime = await openRuntime({ ...config, logLevel: 'silent' }, 'tool');
  anna = await createTrader(stack.description(), WIDE_LIMITS);
  ben = await createTrader(stack.description());
  ticker = await findLiquidMarket(anna);
  const { markets } = await anna.api.listMarkets({ limit: 50 });
  otherTicker =
    markets.find((one) => one.ticker !== ticker && one.yesBid >= 15 && one.yesAsk <= 85)?.ticker ??
    '';
});

afterAll(async () => {
  if (runtime) await closeRuntime(runtime);
});

const differences = () => findDifferences(runtime);

async function trade(
  trader: Trader,
  order: { direction: 'BUY' | 'SELL'; side: 'yes' | 'no'; contracts: string; on?: string },
): Promise<string> {
  const { intent } = await trader.api.createOrder(
    orderBody(stack.description(), trader, {
      ...order,
      ticker: order.on ?? ticker,
      quoteLimit: order.direction === 'BUY' ? (Number(order.contracts) * 0.98).toFixed(2) : '0.01',
    }),
  );
  const done = await untilComplete(trader, intent.id);
  expect(done.status).toBe('completed');
  return intent.id;
}

/** The owner moves funds of the smart account outside the service. */
async function movePriceTo(trader: Trader, calls: Call[]): Promise<void> {
  const sender = createWalletClient({
    account: trader.wallet,
    chain: base,
    transport: http(stack.description().rpcUrl),
  });
  const hash = await sender.sendTransaction({
    to: trader.account,
    data: encodeAccountExecute(calls),
  });
  const receipt = await runtime.chain.client.waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe('success');
}

function sendUsdc(to: Address, amount: bigint): Call {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] });
  return { to: stack.description().contracts.usdc, value: 0n, data };
}

async function query(text: string, values: unknown[] = []): Promise<number> {
  return (await runtime.database.pool.query(text, values)).rowCount ?? 0;
}

async function refusal(trader: Trader, on: string): Promise<string | undefined> {
  try {
    await trade(trader, { direction: 'BUY', side: 'yes', contracts: '1', on });
    return undefined;
  } catch (error) {
    if (error instanceof ApiProblem) return error.code;
    throw error;
  }
}

test('given trades, netting, withdrawals and plain transfers, finds no difference', {
  timeout: 180_000,
}, async () => {
  const stranger = privateKeyToAccount(generatePrivateKey()).address;
  expect(await differences()).toEqual([]);
  await trade(anna, { direction: 'BUY', side: 'yes', contracts: '5' });
  await trade(ben, { direction: 'BUY', side: 'no', contracts: '4' });
  await trade(anna, { direction: 'SELL', side: 'yes', contracts: '2' });
  await trade(ben, { direction: 'BUY', side: 'no', contracts: '3.5' });
  const { usdc, outcomeToken } = stack.description().contracts;
  const withdrawn = await anna.api.withdraw({
    intentType: 'Withdraw',
    destinationAddress: stranger,
    amount: '12.5',
    tokenType: 'erc20',
    tokenAddress: usdc,
  });
  expect((await untilComplete(anna, withdrawn.intent.id)).status).toBe('completed');
  const tokenId = outcomeTokenId(ticker, 'yes');
  await movePriceTo(anna, [
    sendUsdc(stranger, 3_000_000n),
    sendUsdc(ben.account, 2_000_000n),
    {
      to: outcomeToken,
      value: 0n,
      data: encodeFunctionData({
        abi: outcomeTokenAbi,
        functionName: 'safeTransferFrom',
        args: [anna.account, ben.wallet.address, tokenId, 1_000_000n, '0x'],
      }),
    },
  ]);
  await ben.api.requestFunds(ben.wallet.address);
  expect(await differences()).toEqual([]);
  const books = await runtime.database.pool.query(
    `select sum(amount_micros)::text as usdc from ledger_entries where account = $1 and asset = 'usdc'`,
    [`user:${anna.account}`],
  );
  const onChain = await runtime.chain.client.readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [anna.account],
  });
  expect(books.rows).toEqual([{ usdc: onChain.toString() }]);
});

describe('given a manipulation, names it and stops only the affected market', () => {
  let orderId = '';
  beforeEach(async () => {
    orderId = await trade(anna, { direction: 'BUY', side: 'yes', contracts: '2' });
    expect(await differences()).toEqual([]);
  });

  test('a ledger row', async () => {
    const change = `update ledger_entries set amount_micros = amount_micros + $2
      where order_id = $1 and posting = 'deliver' and account = 'house'`;
    expect(await query(change, [orderId, 1])).toBe(1);
    const found = await differences();
    expect(found).toContainEqual(
      expect.objectContaining({
        kind: 'ledger_unbalanced',
        orderIds: [orderId],
        tickers: [ticker],
        actualMicros: 1n,
      }),
    );
    expect(await refusal(anna, ticker)).toBe('market_suspended');
    expect(await refusal(anna, otherTicker)).toBeUndefined();
    const status = await anna.api.getStatus();
    expect(status.status).toBe('degraded');
    expect(status.reconciliation.status).toBe('differences');
    expect(status.alerts.map((alert) => alert.kind)).toContain('reconciliation_difference');
    await query(change, [orderId, -1]);
    expect(await differences()).toEqual([]);
    expect(await refusal(anna, ticker)).toBeUndefined();
    expect((await anna.api.getStatus()).alerts).toEqual([]);
  });

  test('a fill row', { tags: ['long'] }, async () => {
    const change = `update exchange_fills set contract_micros = contract_micros + $2
      where fill_id = (select fill_id from exchange_fills where order_id = $1 limit 1)`;
    await query(change, [orderId, 10_000]);
    const found = await differences();
    expect(found.map((one) => one.kind)).toEqual(
      expect.arrayContaining(['order_fills', 'exchange_position']),
    );
    expect(found.find((one) => one.kind === 'order_fills')?.orderIds).toEqual([orderId]);
    expect(found.find((one) => one.kind === 'exchange_position')).toMatchObject({
      subject: ticker,
      tickers: [ticker],
    });
    await query(change, [orderId, -10_000]);
    expect(await differences()).toEqual([]);
  });

  test('what the vault logged of an order', { tags: ['long'] }, async () => {
    const rename = (from: string, to: string) =>
      query(
        `update vault_events set chain_order_id = replace(chain_order_id, $2, $3)
         where kind = 'filled' and replace(chain_order_id, $2, $3) in (
           select replace(chain_order_id, '0x', $3) from orders where id = $1)`,
        [orderId, from, to],
      );
    expect(await rename('0x', '0y')).toBe(1);
    const found = await differences();
    expect(found.find((one) => one.kind === 'order_amounts')?.orderIds).toEqual([orderId]);
    expect(await rename('0y', '0x')).toBe(1);
    expect(await differences()).toEqual([]);
  });

  test('a trade at the exchange that is not ours', {
    tags: ['long'],
  }, async () => {
    const placed = await runtime.exchange.placeOrder({
      clientOrderId: `by-hand-${Date.now()}`,
      ticker: otherTicker,
      shard: await shardOf(runtime.exchange, otherTicker),
      action: 'buy',
      side: 'yes',
      contractMicros: 3_000_000n,
      limitPriceMicros: 900_000n,
      storedAt: new Date(),
      mayBeSent: async () => true,
    });
    expect(placed).toMatchObject({ kind: 'done', filledContractMicros: 3_000_000n });
    const found = await differences();
    expect(found.map((one) => one.kind).sort()).toEqual(['exchange_cash', 'exchange_position']);
    expect(found.find((one) => one.kind === 'exchange_position')).toMatchObject({
      subject: otherTicker,
      tickers: [otherTicker],
    });
    expect(await refusal(anna, otherTicker)).toBe('market_suspended');
    expect(await refusal(anna, ticker)).toBeUndefined();
    await acceptDifferences(runtime, { differences: found, by: 'tester', note: 'placed by hand' });
    expect(await differences()).toEqual([]);
    expect(await refusal(anna, otherTicker)).toBeUndefined();
    expect(await differences()).toEqual([]);
  });

  test('USDC sent to the vault, which belongs to no market', {
    tags: ['long'],
  }, async () => {
    await movePriceTo(anna, [sendUsdc(stack.description().contracts.swapVault, 777n)]);
    const found = await differences();
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ kind: 'vault_cash', tickers: [] });
    expect(found[0]?.explanation).toMatch(/777 by 0x[0-9a-f]{64}/);
    expect(await refusal(anna, ticker)).toBeUndefined();
    await acceptDifferences(runtime, { differences: found, by: 'tester', note: 'a gift' });
    expect(await differences()).toEqual([]);
  });
});
