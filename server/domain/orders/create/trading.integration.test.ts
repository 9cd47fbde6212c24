import { randomUUID } from 'node:crypto';
import { createWalletClient, type Hex, http } from 'viem';
import { beforeAll, describe, expect, test } from 'vitest';
import { ApiProblem } from '#lib/api/problem.ts';
import { base } from '#lib/chains.ts';
import { formatMicros, parseMicros } from '#lib/money.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import {
  createTrader,
  findLiquidMarket,
  orderBody,
  readHoldings,
  signIn,
  type Trader,
  untilComplete,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';

const sandbox = sandboxUnderTest();
let ticker = '';
beforeAll(async () => {
  ticker = await findLiquidMarket(await signIn(sandbox));
});

async function buy(trader: Trader, contracts: string, clientId?: string) {
  const body = orderBody(sandbox, trader, {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts,
    quoteLimit: formatMicros((parseMicros(contracts) * 99n) / 100n),
    ...(clientId === undefined ? {} : { clientId }),
  });
  return { body, intent: (await trader.api.createOrder(body)).intent };
}

/** What an order of these contracts changed on chain, once it is complete. */
async function carryOut(trader: Trader, body: Parameters<Trader['api']['createOrder']>[0]) {
  const at = { ticker, side: 'yes' } as const;
  const before = await readHoldings(sandbox, trader.account, at);
  const { intent } = await trader.api.createOrder(body);
  const order = await untilComplete(trader, intent.id);
  const after = await readHoldings(sandbox, trader.account, at);
  return {
    order,
    contractMicros: after.contractMicros - before.contractMicros,
    usdcMicros: after.usdcMicros - before.usdcMicros,
  };
}

describe('an order placed by the service', () => {
  test('buys at the exchange, delivers on chain and charges to the micro-unit', async () => {
    const trader = await createTrader(sandbox);
    const before = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });
    const { intent, body } = await buy(trader, '10');
    const order = await untilComplete(trader, intent.id);
    const after = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });

    expect(order).toMatchObject({
      status: 'completed',
      terminationReason: null,
      filledBaseQuantity: '10',
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(after.contractMicros - before.contractMicros).toBe(10_000_000n);
    expect(before.usdcMicros - after.usdcMicros).toBe(parseMicros(order.quoteAmount ?? ''));
    expect(
      parseMicros(order.quoteAmount ?? '') + parseMicros(order.returnedQuoteAmount ?? ''),
    ).toBe(parseMicros(body.order.maxQuoteQuantityIn ?? ''));
    expect(parseMicros(order.feeQuoteAmount ?? '')).toBeGreaterThan(0n);
    const types = order.events.map((event) => event.type);
    expect(types[0]).toBe('created');
    for (const type of ['validated', 'executing', 'filled', 'completed']) {
      expect(types.filter((one) => one === type)).toHaveLength(1);
    }
  });

  test('sells part of the position for no less than the price limit', async () => {
    const trader = await createTrader(sandbox);
    await untilComplete(trader, (await buy(trader, '8')).intent.id);
    const sale = orderBody(sandbox, trader, {
      direction: 'SELL',
      ticker,
      side: 'yes',
      contracts: '3.25',
      quoteLimit: '0.05',
    });
    const { order, contractMicros, usdcMicros } = await carryOut(trader, sale);

    expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '3.25' });
    expect(contractMicros).toBe(-3_250_000n);
    expect(usdcMicros).toBe(parseMicros(order.quoteAmount ?? ''));
    expect(parseMicros(order.quoteAmount ?? '')).toBeGreaterThanOrEqual(50_000n);
  });

  test('given an amount, spends it as a hard cap and lets the fill decide the contracts', async () => {
    const trader = await createTrader(sandbox);
    const body = orderBody(sandbox, trader, {
      direction: 'BUY',
      ticker,
      side: 'yes',
      contracts: '26',
      quoteLimit: '25',
      sizedBy: 'maxQuoteQuantityIn',
    });
    const { order, contractMicros, usdcMicros } = await carryOut(trader, body);

    expect(order).toMatchObject({
      status: 'completed',
      action: { order: { sizedBy: 'maxQuoteQuantityIn', maxQuoteQuantityIn: '25' } },
    });
    const spent = parseMicros(order.quoteAmount ?? '');
    expect(usdcMicros).toBe(-spent);
    expect(spent).toBeLessThanOrEqual(25_000_000n);
    expect(spent + parseMicros(order.returnedQuoteAmount ?? '')).toBe(25_000_000n);
    const bought = parseMicros(order.filledBaseQuantity ?? '');
    expect(contractMicros).toBe(bought);
    // A dollar's worth of impact at most stays: the price limit is far from the book.
    expect(spent).toBeGreaterThan(24_000_000n);
    expect(bought).toBeGreaterThan(26_000_000n);
  });

  test('refunds the input in full when there are no sellers', async () => {
    const trader = await createTrader(sandbox);
    const before = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });
    const body = orderBody(sandbox, trader, {
      direction: 'BUY',
      ticker,
      side: 'yes',
      contracts: '10',
      quoteLimit: '0.2',
    });
    const { intent } = await trader.api.createOrder(body);
    const order = await untilComplete(trader, intent.id);
    expect(order).toMatchObject({
      status: 'failed',
      terminationReason: 'price_moved',
      filledBaseQuantity: '0',
      quoteAmount: '0',
      returnedQuoteAmount: '0.2',
    });
    expect(await readHoldings(sandbox, trader.account, { ticker, side: 'yes' })).toEqual(before);
  });

  test('fails before funds move when it exceeds the balance', async () => {
    const trader = await createTrader(sandbox);
    const body = orderBody(sandbox, trader, {
      direction: 'BUY',
      ticker,
      side: 'no',
      contracts: '20000',
      quoteLimit: '19000',
    });
    const { intent } = await trader.api.createOrder(body);
    expect(await untilComplete(trader, intent.id)).toMatchObject({
      status: 'failed',
      terminationReason: 'insufficient_funds',
      transactionHash: null,
    });
  });

  test('fails before funds move without a grant', async () => {
    const trader = await signIn(sandbox);
    await trader.api.requestFunds(trader.wallet.address);
    const { intent } = await buy(trader, '1');
    expect(await untilComplete(trader, intent.id)).toMatchObject({
      status: 'failed',
      terminationReason: 'grant_required',
    });
  });

  test('returns the same order for a repeated client id and refuses another body', async () => {
    const trader = await createTrader(sandbox);
    const clientId = randomUUID();
    const first = await buy(trader, '2', clientId);
    const again = await Promise.all([1, 2, 3].map(() => trader.api.createOrder(first.body)));
    expect(new Set(again.map((response) => response.intent.id))).toEqual(
      new Set([first.intent.id]),
    );
    await expect(buy(trader, '3', clientId)).rejects.toMatchObject({
      status: 409,
      code: 'client_id_conflict',
    });
    await untilComplete(trader, first.intent.id);
    const holdings = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });
    expect(holdings.contractMicros).toBe(2_000_000n);
  });

  test('is refused for another wallet, and is invisible to it', async () => {
    const [mine, other] = await Promise.all([createTrader(sandbox), signIn(sandbox)]);
    const body = orderBody(sandbox, mine, {
      direction: 'BUY',
      ticker,
      side: 'yes',
      contracts: '1',
      quoteLimit: '0.99',
    });
    await expect(other.api.createOrder(body)).rejects.toMatchObject({
      status: 403,
      code: 'wrong_owner',
    });
    await expect(mine.api.getOrder(randomUUID())).rejects.toBeInstanceOf(ApiProblem);
  });
});

describe('an order that the user sends', () => {
  async function send(trader: Trader, transactions: { to: string; value: string; data: string }[]) {
    const wallet = createWalletClient({
      account: trader.wallet,
      chain: base,
      transport: http(sandbox.rpcUrl),
    });
    for (const { to, value, data } of transactions) {
      const hash = await wallet.sendTransaction({
        to: to as Hex,
        value: BigInt(value),
        data: data as Hex,
      });
      expect(hash).toMatch(/^0x/);
    }
  }

  test('is recognised on chain and tracked by its client id', async () => {
    const trader = await createTrader(sandbox);
    const clientId = randomUUID();
    const body = orderBody(sandbox, trader, {
      direction: 'BUY',
      ticker,
      side: 'no',
      contracts: '4',
      quoteLimit: '3.9',
      clientId,
    });
    const batch = await trader.api.createCalldataOrder(body);
    expect(batch.success).toBe(true);
    expect(await trader.api.getOrderByClientId(clientId)).toMatchObject({ status: 'pending' });
    const before = await readHoldings(sandbox, trader.account, { ticker, side: 'no' });
    await send(trader, batch.transactions);
    const { id } = await trader.api.getOrderByClientId(clientId);
    const order = await untilComplete(trader, id);
    const after = await readHoldings(sandbox, trader.account, { ticker, side: 'no' });
    expect(order).toMatchObject({ status: 'completed', source: 'calldata', clientId });
    expect(after.contractMicros - before.contractMicros).toBe(4_000_000n);
    expect(before.usdcMicros - after.usdcMicros).toBe(parseMicros(order.quoteAmount ?? ''));
  });
});

describe('a withdrawal', () => {
  test('sends USDC to its destination', async () => {
    const trader = await createTrader(sandbox, WIDE_LIMITS);
    const destination = (await signIn(sandbox)).wallet.address;
    const { intent } = await trader.api.withdraw({
      intentType: 'Withdraw',
      destinationAddress: destination,
      amount: '12.345678',
      tokenType: 'erc20',
      tokenAddress: sandbox.contracts.usdc,
    });
    const order = await untilComplete(trader, intent.id);
    expect(order).toMatchObject({ status: 'completed' });
    const arrived = await readHoldings(sandbox, destination, { ticker, side: 'yes' });
    expect(arrived.usdcMicros).toBe(12_345_678n);
  });
});
