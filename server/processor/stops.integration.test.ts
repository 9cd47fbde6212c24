import { encodeFunctionData } from 'viem';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import { requestEnd, sendTransactions } from '#sandbox/testing/chainTrader.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { runningProcessor } from '#sandbox/testing/runningProcessor.ts';
import {
  createTrader,
  limitBody,
  orderBody,
  readHoldings,
  type Trader,
  untilComplete,
  untilLogged,
} from '#sandbox/testing/trader.ts';
import { buyOn, placeOn, takeMarket } from '#sandbox/testing/trades.ts';
import { stopOrders } from '#server/domain/orders/lifecycle/triggerStore.ts';
import type { TriggerSource } from '#server/domain/triggers/triggerSource.ts';
import { runTriggerLoop } from './jobs/triggerLoop.ts';

/** Stop orders: locked at once, released once by a price of the exchange's own book. */

const stack = ownTestStack('stops');
const { dataDir, description: sandbox, differences } = stack;
let trader: Trader;
let ticker = '';

beforeAll(async () => {
  trader = await createTrader(sandbox());
  ticker = await takeMarket(trader);
});
beforeEach(async () => {
  await controlExchange(sandbox(), 'faults', { clear: true });
  await movePrice('0.5');
});

const holdings = () => readHoldings(sandbox(), trader.account, { ticker, side: 'yes' });
const movePrice = (priceDollars: string) =>
  controlExchange(sandbox(), 'market', { ticker, priceDollars });
const STOP_LOSS = { triggerPrice: '0.35', direction: 'below' } as const;
const timesTriggered = (order: { events: { type: string }[] }) =>
  order.events.filter(({ type }) => type === 'triggered').length;

/** Waits until the order's funds are locked and its market's price is followed. */
async function place(body: Parameters<Trader['api']['createOrder']>[0]): Promise<string> {
  const { intent } = await trader.api.createOrder(body);
  await untilLogged(trader, intent.id, 'validated');
  return intent.id;
}

const sale = (contracts: string, quoteLimit: string, stop: object = STOP_LOSS) =>
  orderBody(sandbox(), trader, {
    direction: 'SELL',
    ticker,
    side: 'yes',
    contracts,
    quoteLimit,
    stop,
  });

/** The order has fired once and sold everything, exact on chain and in the books. */
async function expectSold(
  id: string,
  contracts: string,
  before: Awaited<ReturnType<typeof holdings>>,
) {
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: contracts });
  expect(timesTriggered(order)).toBe(1);
  const after = await holdings();
  expect(after.usdcMicros - before.usdcMicros).toBe(parseMicros(order.quoteAmount ?? '0'));
  expect(await differences()).toEqual([]);
  return order;
}

/** The order has ended without firing, and the one contract that it locked is back. */
async function expectReturned(
  id: string,
  terminationReason: string,
  before: Awaited<ReturnType<typeof holdings>>,
) {
  expect(await untilComplete(trader, id)).toMatchObject({
    terminationReason,
    returnedBaseQuantity: '1',
    trigger: { triggeredAt: null },
  });
  expect(await holdings()).toEqual(before);
}

/** What the account's activity shows as open. */
async function underWay() {
  const { items } = await trader.api.listActivity({
    address: trader.account,
    status: 'under_way',
  });
  return items;
}

test('given a stop-loss, sells once when the bid falls to it, exact on chain and in the books', async () => {
  await buyOn(sandbox())(trader, ticker, 'yes', '10');
  const before = await holdings();
  const id = await place(sale('10', '0.5'));
  const waiting = await trader.api.getOrder(id);
  expect(waiting).toMatchObject({
    status: 'validated',
    trigger: { price: '0.35', direction: 'below', source: 'bid', triggeredAt: null },
  });
  expect(await underWay()).toMatchObject([{ orderId: id, trigger: waiting.trigger }]);
  expect((await holdings()).contractMicros).toBe(before.contractMicros - 10_000_000n);
  expect(await differences()).toEqual([]);

  await movePrice('0.3');
  const { trigger } = await expectSold(id, '10', before);
  expect(Number(trigger?.seenPrice)).toBeLessThanOrEqual(0.35);
});

test('given a take-profit, sells once when the bid rises to it', {
  tags: ['long'],
}, async () => {
  await buyOn(sandbox())(trader, ticker, 'yes', '3');
  const before = await holdings();
  const id = await place(sale('3', '0.5', { triggerPrice: '0.65', direction: 'above' }));
  await movePrice('0.6');
  await movePrice('0.7');
  const { trigger } = await expectSold(id, '3', before);
  expect(Number(trigger?.seenPrice)).toBeGreaterThanOrEqual(0.65);
});

test('given a limit order behind a trigger, rests at its price after it', async () => {
  const stop = { triggerPrice: '0.6', direction: 'above' } as const;
  const id = await place(
    limitBody(sandbox(), trader, { direction: 'BUY', ticker, contracts: '5', price: '0.2', stop }),
  );
  await movePrice('0.7');
  const order = await untilLogged(trader, id, 'resting');
  expect(order).toMatchObject({ trigger: { source: 'ask' }, limitPrice: '0.2' });
  const { restingSince } = order;
  expect(await underWay()).toMatchObject([{ orderId: id, limitPrice: '0.2', restingSince }]);
  await trader.api.cancelOrder(id);
  expect(await untilComplete(trader, id)).toMatchObject({ endReason: 'cancelled' });
});

test('given a cancellation while it waits, returns the funds and never trades', async () => {
  await buyOn(sandbox())(trader, ticker, 'yes', '2');
  const before = await holdings();
  const id = await place(sale('2', '0.1'));
  await trader.api.cancelOrder(id);
  await movePrice('0.2');
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({ terminationReason: 'cancelled', returnedBaseQuantity: '2' });
  expect(timesTriggered(order)).toBe(0);
  expect(await holdings()).toEqual(before);
});

test('given messages that the feed loses, releases nothing that the exchange does not confirm', {
  tags: ['long'],
}, async () => {
  await buyOn(sandbox())(trader, ticker, 'yes', '2');
  const id = await place(sale('2', '0.1'));
  await controlExchange(sandbox(), 'faults', {
    socketDrop: 20,
    socketDuplicate: 10,
    socketSwap: 10,
  });
  for (const price of ['0.45', '0.55', '0.4', '0.6']) await movePrice(price);
  const order = await trader.api.getOrder(id);
  expect(timesTriggered(order)).toBe(0);
  await controlExchange(sandbox(), 'faults', { clear: true });
  await movePrice('0.3');
  expect(timesTriggered(await untilComplete(trader, id))).toBe(1);
});

test('given an order of the own wallet, waits and fires as one of the service does', {
  tags: ['long'],
}, async () => {
  await buyOn(sandbox())(trader, ticker, 'yes', '3');
  const { intent, transactions } = await trader.api.createCalldataOrder(sale('3', '0.1'));
  await sendTransactions(sandbox(), trader, transactions);
  await untilLogged(trader, intent.id, 'validated');
  await movePrice('0.3');
  const order = await untilComplete(trader, intent.id);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '3' });
  expect(timesTriggered(order)).toBe(1);
});

test('given kills of the processor around its price, fires once', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  await buyOn(sandbox())(trader, ticker, 'yes', '4');
  const id = await place(sale('4', '0.1'));
  process.kill(await runningProcessor(stack), 'SIGKILL');
  await movePrice('0.3');
  await untilLogged(trader, id, 'triggered');
  process.kill(await runningProcessor(stack), 'SIGKILL');
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '4' });
  expect(timesTriggered(order)).toBe(1);
  expect(await differences()).toEqual([]);
});

test('given two processors, one releases each order', {
  tags: ['long'],
}, async () => {
  await buyOn(sandbox())(trader, ticker, 'yes', '5');
  const bodies = Array.from({ length: 5 }, () => sale('1', '0.05'));
  const ids = await Promise.all(bodies.map(place));
  const released = await withRuntime(dataDir, async (runtime) => {
    const control = new AbortController();
    const source = stopOrders(runtime.database);
    const firedHere: string[] = [];
    let reads = 0;
    const counted: TriggerSource = {
      ...source,
      listOpen() {
        reads += 1;
        return source.listOpen();
      },
      async fire(trigger, seen) {
        const isFired = await source.fire(trigger, seen);
        if (isFired) firedHere.push(trigger.id);
        return isFired;
      },
    };
    const second = runTriggerLoop(runtime, [counted], control.signal);
    // By then it has followed the book for long enough to count.
    await pollUntil(() => reads > 3 || undefined);
    await movePrice('0.3');
    const ended = await Promise.all(ids.map((id) => untilComplete(trader, id)));
    control.abort();
    await second;
    for (const order of ended) expect(timesTriggered(order)).toBe(1);
    return firedHere;
  });
  expect(new Set(released).size).toBe(released.length);
  expect(await differences()).toEqual([]);
});

test('given one order that everyone fires at once, one succeeds', {
  tags: ['long'],
}, async () => {
  await buyOn(sandbox())(trader, ticker, 'yes', '1');
  const id = await place(sale('1', '0.05'));
  const fired = await withRuntime(dataDir, async ({ database }) => {
    const source = stopOrders(database);
    const [trigger] = (await source.listOpen()).filter((one) => one.id === id);
    if (!trigger) throw new Error('the order does not wait');
    const seen = { priceMicros: 340_000n, at: new Date() };
    return await Promise.all(Array.from({ length: 8 }, () => source.fire(trigger, seen)));
  });
  expect(fired.filter(Boolean)).toHaveLength(1);
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({ status: 'completed', trigger: { seenPrice: '0.34' } });
  await expect(trader.api.cancelOrder(id)).rejects.toThrow();
});

test('given a call that cancels a market’s orders, ends those that wait, which a list shows', {
  tags: ['long'],
}, async () => {
  await buyOn(sandbox())(trader, ticker, 'yes', '2');
  const ids = await Promise.all([place(sale('1', '0.05')), place(sale('1', '0.04'))]);
  const listed = await trader.api.listOrders({ status: 'validated' });
  expect(listed.orders.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  const cancelled = await trader.api.cancelOrders({ ticker });
  expect(cancelled.ids.toSorted()).toEqual(ids.toSorted());
  for (const id of ids) {
    expect(await untilComplete(trader, id)).toMatchObject({ endReason: 'cancelled' });
  }
});

test('given a vault that is paused meanwhile, returns the funds while it is', {
  tags: ['long'],
}, async () => {
  await buyOn(sandbox())(trader, ticker, 'yes', '1');
  const before = await holdings();
  const id = await place(sale('1', '0.05'));
  const chain = controlChainFaults(sandbox());
  await chain.setVaultPaused(true);
  try {
    await expectReturned(id, 'vault_paused', before);
  } finally {
    await chain.setVaultPaused(false);
  }
});

test('given an owner that ends it on chain, returns the funds at once', {
  tags: ['long'],
}, async () => {
  await buyOn(sandbox())(trader, ticker, 'yes', '1');
  const before = await holdings();
  const id = await place(sale('1', '0.05'));
  await requestEnd(sandbox(), dataDir, trader, id);
  await movePrice('0.3');
  await expectReturned(id, 'ended_on_chain', before);
  expect(await differences()).toEqual([]);
});

test('given a reduce-only order, places it if there is enough left to reduce by then', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const other = await createTrader(sandbox());
  await buyOn(sandbox())(other, ticker, 'yes', '3');
  const reduce = async (contracts: string) => {
    const stop = { triggerPrice: '0.6', direction: 'above' } as const;
    const terms = { direction: 'BUY', ticker, side: 'no', contracts, price: '0.2' } as const;
    const body = limitBody(sandbox(), other, { ...terms, reduceOnly: true, stop });
    const { intent } = await other.api.createOrder(body);
    await untilLogged(other, intent.id, 'validated');
    return intent.id;
  };
  const [kept, lost] = [await reduce('1'), await reduce('3')];
  const terms = {
    direction: 'SELL',
    ticker,
    side: 'yes',
    contracts: '2',
    quoteLimit: '0.1',
  } as const;
  expect(await placeOn(sandbox())(other, terms)).toMatchObject({ status: 'completed' });
  await movePrice('0.3');
  expect(await untilComplete(other, lost)).toMatchObject({
    terminationReason: 'nothing_to_reduce',
    trigger: { triggeredAt: expect.any(String) },
  });
  await untilLogged(other, kept, 'resting');
  await other.api.cancelOrder(kept);
  expect(await untilComplete(other, kept)).toMatchObject({ endReason: 'cancelled' });
});

test('given an end time, stops waiting then and returns the funds', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  await buyOn(sandbox())(trader, ticker, 'yes', '1');
  const expiresAt = new Date(Date.now() + 65_000).toISOString();
  const id = await place(sale('1', '0.05', { ...STOP_LOSS, expiresAt }));
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({
    status: 'failed',
    terminationReason: 'expired_unfilled',
    returnedBaseQuantity: '1',
    trigger: { triggeredAt: null },
  });
});

test('given a permission that is revoked, what waits or rests under it ends within seconds', async () => {
  const other = await createTrader(sandbox());
  const terms = { direction: 'BUY', ticker, contracts: '1', price: '0.2' } as const;
  const stop = { triggerPrice: '0.9', direction: 'above' } as const;
  const bodies = [terms, { ...terms, stop }].map((order) => limitBody(sandbox(), other, order));
  const placed = await Promise.all(bodies.map((body) => other.api.createOrder(body)));
  const [rests = '', waits = ''] = placed.map(({ intent }) => intent.id);
  await untilLogged(other, rests, 'resting');
  await untilLogged(other, waits, 'validated');
  const data = encodeFunctionData({ abi: tradingAccountAbi, functionName: 'revoke' });
  await sendTransactions(sandbox(), other, [{ to: other.account, value: '0', data }]);
  for (const id of [rests, waits]) {
    const order = await untilComplete(other, id);
    expect(order).toMatchObject({
      terminationReason: 'permission_revoked',
      returnedBaseQuantity: '0',
    });
    expect(order.returnedQuoteAmount).not.toBe('0');
  }
});

test('given a market that closes, returns the funds', {
  tags: ['long'],
}, async () => {
  const own = await takeMarket(trader);
  const body = orderBody(sandbox(), trader, {
    direction: 'BUY',
    ticker: own,
    side: 'yes',
    contracts: '1',
    quoteLimit: '0.9',
    stop: { triggerPrice: '0.98', direction: 'above' },
  });
  const id = await place(body);
  await controlExchange(sandbox(), 'settle', { ticker: own, result: 'no' });
  expect(await untilComplete(trader, id)).toMatchObject({
    terminationReason: 'market_closed',
    returnedQuoteAmount: '0.9',
  });
});
