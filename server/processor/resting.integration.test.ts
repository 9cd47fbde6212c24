import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { isApiProblem } from '#lib/api/problem.ts';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { formatMicros, parseMicros } from '#lib/money.ts';
import { amendSigned } from '#lib/order/amendSigned.ts';
import { generateP256, p256Signer } from '#lib/order/p256Signer.ts';
import { placeOrder } from '#lib/order/signOrder.ts';
import { requestEnd, sendTransactions } from '#sandbox/testing/chainTrader.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { runningProcessor } from '#sandbox/testing/runningProcessor.ts';
import {
  createTrader,
  findLiquidMarket,
  limitBody,
  orderBody,
  readHoldings,
  type Trader,
  untilComplete,
  untilLogged,
} from '#sandbox/testing/trader.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';

/** Limit orders that rest at the exchange, filled there in parts and delivered on chain. */

const stack = ownTestStack('resting');
const { dataDir, description: sandbox, differences } = stack;
let trader: Trader;
let ticker = '';

beforeAll(async () => {
  trader = await createTrader(sandbox());
  ticker = await findLiquidMarket(trader);
  // Only the test fills what rests.
  await controlExchange(sandbox(), 'market', { ticker, takers: false, priceDollars: '0.5' });
});

const holdings = (of = trader) => readHoldings(sandbox(), of.account, { ticker, side: 'yes' });
const total = (order: OrderRecordWithEvents, field: 'baseQuantity' | 'quoteAmount') =>
  order.events
    .filter(({ type }) => type === 'partially_filled' || type === 'completed')
    .reduce((sum, event) => sum + parseMicros(event[field] ?? '0'), 0n);

async function rest(
  order: Partial<Parameters<typeof limitBody>[2]> = {},
  by = trader,
): Promise<string> {
  const terms = { direction: 'BUY', ticker, contracts: '10', price: '0.3', ...order } as const;
  const { intent } = await by.api.createOrder(limitBody(sandbox(), by, terms));
  await untilLogged(by, intent.id, 'resting');
  return intent.id;
}

/** What a purchase locks: its price and the highest fee of it. */
function lockOf({ action }: OrderRecordWithEvents): string {
  if (action.orderType !== 'LimitOrder') throw new Error('not a limit order');
  return action.order.maxQuoteQuantityIn ?? '';
}

/** A stranger at the exchange takes contracts of the order. */
async function fill(id: string, contracts: string): Promise<void> {
  const clientOrderId = clientOrderIdOf(id, 1);
  await controlExchange(sandbox(), 'fill', { clientOrderId, contracts });
}

test('given fills in parts, each is delivered with its own event, exact on chain and in the books', async () => {
  const before = await holdings();
  const id = await rest();
  const locked = parseMicros(
    (await trader.api.getOrder(id)).action.orderType === 'LimitOrder' ? '3' : '0',
  );
  expect((await holdings()).usdcMicros).toBeLessThanOrEqual(before.usdcMicros - locked);

  await fill(id, '1.5');
  await fill(id, '2.5');
  const partly = await untilLogged(trader, id, 'partially_filled');
  expect(partly).toMatchObject({
    status: 'executing',
    filledBaseQuantity: '4',
    deliveredBaseQuantity: '4',
    remainingBaseQuantity: '6',
    limitPrice: '0.3',
    timeInForce: 'GTC',
  });
  expect((await holdings()).contractMicros - before.contractMicros).toBe(4_000_000n);
  expect(await differences()).toEqual([]);

  await fill(id, '0.01');
  await untilLogged(trader, id, 'partially_filled', 2);
  await fill(id, '5.99');
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({
    status: 'completed',
    filledBaseQuantity: '10',
    remainingBaseQuantity: '0',
    endReason: 'filled',
  });
  const after = await holdings();
  const paid = before.usdcMicros - after.usdcMicros;
  expect(formatMicros(paid)).toBe(order.quoteAmount);
  expect(after.contractMicros - before.contractMicros).toBe(10_000_000n);
  expect(total(order, 'baseQuantity')).toBe(10_000_000n);
  expect(total(order, 'quoteAmount')).toBe(paid);
  expect(await differences()).toEqual([]);
});

test('given messages that the feed loses, the sweep finds the fill', async () => {
  const id = await rest();
  await controlExchange(sandbox(), 'faults', { socketDropOwn: 1 });
  await fill(id, '3');
  const order = await untilLogged(trader, id, 'partially_filled');
  await controlExchange(sandbox(), 'faults', { clear: true });
  expect(order.deliveredBaseQuantity).toBe('3');
  await trader.api.cancelOrder(id);
  expect(await untilComplete(trader, id)).toMatchObject({
    status: 'completed',
    filledBaseQuantity: '3',
    endReason: 'cancelled',
  });
});

test('given two accounts whose orders cross, no order of ours meets another one', async () => {
  const other = await createTrader(sandbox());
  await controlExchange(sandbox(), 'market', { ticker, makers: false });
  try {
    const bid = await rest({ price: '0.4', contracts: '5' });
    const crossing = limitBody(sandbox(), other, {
      direction: 'BUY',
      side: 'no',
      ticker,
      contracts: '5',
      price: '0.6',
    });
    await expect(other.api.createOrder(crossing)).rejects.toMatchObject({
      code: 'crosses_open_order',
    });
    // The only bid is ours: there is nothing that a market order may take.
    const sale = {
      direction: 'BUY',
      side: 'no',
      ticker,
      contracts: '5',
      quoteLimit: '4.5',
    } as const;
    const { intent } = await other.api.createOrder(orderBody(sandbox(), other, sale));
    expect(await untilComplete(other, intent.id)).toMatchObject({
      status: 'failed',
      terminationReason: 'price_moved',
    });
    const quote = await other.api.getQuote(ticker, { side: 'no', contracts: '5', action: 'buy' });
    expect(quote.fillable).toBe(false);
    expect(await trader.api.getOrder(bid)).toMatchObject({ filledBaseQuantity: null });
    await trader.api.cancelOrder(bid);
    await untilComplete(trader, bid);
  } finally {
    await controlExchange(sandbox(), 'market', { ticker, makers: true });
  }
});

test('given a lower price and size, the order is amended', async () => {
  const id = await rest({ contracts: '8' });
  await trader.api.amendOrder(id, { limitPrice: '0.28', baseQuantity: '6' });
  expect(await untilLogged(trader, id, 'amended')).toMatchObject({
    limitPrice: '0.28',
    remainingBaseQuantity: '6',
  });
  await fill(id, '6');
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({
    status: 'completed',
    filledBaseQuantity: '6',
    endReason: 'filled',
  });
  expect(await differences()).toEqual([]);
});

test('given a higher price and size of a partly filled order, another one takes its place', {
  tags: ['long'],
}, async () => {
  const before = await holdings();
  const id = await rest({ contracts: '8' });
  await fill(id, '3');
  await untilLogged(trader, id, 'partially_filled');
  const amended = await trader.api.amendOrder(id, { limitPrice: '0.35', baseQuantity: '9' });
  const replacedBy = amended.order.replacedBy ?? '';
  const old = await untilLogged(trader, id, 'replaced');
  expect(old).toMatchObject({ status: 'completed', filledBaseQuantity: '3', replacedBy });
  const resting = await untilLogged(trader, replacedBy, 'resting');
  expect(resting).toMatchObject({
    limitPrice: '0.35',
    remainingBaseQuantity: '6',
    timeInForce: 'GTC',
    replacedBy: null,
  });
  const locked = parseMicros(lockOf(resting));
  expect(before.usdcMicros - (await holdings()).usdcMicros).toBe(
    parseMicros(old.quoteAmount ?? '0') + locked,
  );

  await fill(replacedBy, '6');
  const order = await untilComplete(trader, replacedBy);
  const after = await holdings();
  expect(after.contractMicros - before.contractMicros).toBe(9_000_000n);
  expect(before.usdcMicros - after.usdcMicros).toBe(
    parseMicros(old.quoteAmount ?? '0') + parseMicros(order.quoteAmount ?? '0'),
  );
  expect(await differences()).toEqual([]);
});

test('given a fill between the signature of a replacement and its placing, it is refused and the rest returns', {
  tags: ['long'],
}, async () => {
  const signer = await p256Signer(await generateP256());
  const owner = await createTrader(sandbox(), { sessionKey: signer.sessionKey });
  const before = await holdings(owner);
  const terms = { direction: 'BUY', ticker, contracts: '8', price: '0.3' } as const;
  const body = limitBody(sandbox(), owner, terms);
  const { id } = (await placeOrder(owner.api, signer, body)).intent;
  const rests = await untilLogged(owner, id, 'resting');
  // The processor hears of the fill only after the change is signed and stored.
  const processor = await runningProcessor(stack);
  process.kill(processor, 'SIGSTOP');
  let signedId = '';
  try {
    await fill(id, '3');
    const change = { limitPrice: '0.35', baseQuantity: '9' };
    const { order } = await amendSigned(owner.api, signer, rests, change);
    expect(order).toMatchObject({ filledBaseQuantity: null, status: 'executing' });
    signedId = order.replacedBy ?? '';
    expect(signedId).not.toBe('');
  } finally {
    process.kill(processor, 'SIGCONT');
  }
  const old = await untilLogged(owner, id, 'replace_refused');
  expect(old).toMatchObject({ status: 'completed', filledBaseQuantity: '3', replacedBy: null });
  expect(old.events.find(({ type }) => type === 'replace_refused')?.detail).toBe(
    'changed_since_signed',
  );
  await expect(owner.api.getOrder(signedId)).rejects.toMatchObject({ code: 'order_not_found' });
  const after = await holdings(owner);
  expect(after.contractMicros - before.contractMicros).toBe(3_000_000n);
  expect(formatMicros(before.usdcMicros - after.usdcMicros)).toBe(old.quoteAmount);
  expect(await differences()).toEqual([]);
});

test('given a change that could not be placed, the order rests as it was', async () => {
  const id = await rest({ contracts: '8' });
  const refused = [
    [{ baseQuantity: '900000' }, ['insufficient_funds', 'grant_exceeded', 'order_too_large']],
    [{ limitPrice: '0.3005' }, ['price_not_allowed']],
    [{ triggerPrice: '0.2' }, ['order_not_amendable']],
  ] as const;
  for (const [change, codes] of refused) {
    const error: unknown = await trader.api
      .amendOrder(id, change)
      .catch((thrown: unknown) => thrown);
    expect(codes).toContain(isApiProblem(error) ? error.code : error);
  }
  const withdrawal = await trader.api.withdraw({
    intentType: 'Withdraw',
    destinationAddress: trader.wallet.address,
    amount: '1',
    tokenType: 'erc20',
    tokenAddress: sandbox().contracts.usdc,
  });
  await expect(
    trader.api.amendOrder(withdrawal.intent.id, { limitPrice: '0.4' }),
  ).rejects.toMatchObject({ code: 'order_not_amendable' });
  expect(await trader.api.getOrder(id)).toMatchObject({
    status: 'executing',
    limitPrice: '0.3',
    remainingBaseQuantity: '8',
    replacedBy: null,
    endReason: null,
  });
  await trader.api.cancelOrder(id);
  await untilComplete(trader, id);
});

test('given processors that die while an order is replaced, exactly one takes its place', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  for (let n = 0; n < 4; n += 1) {
    const id = await rest({ contracts: '4' });
    const { order } = await trader.api.amendOrder(id, { limitPrice: '0.33' });
    await delay(n * 250);
    process.kill(await runningProcessor(stack), 'SIGKILL');
    await untilLogged(trader, id, 'replaced');
    await untilLogged(trader, order.replacedBy ?? '', 'resting');
    const open = (await trader.api.listOrders({ limit: 5 })).orders.filter(
      (one) => !one.isComplete,
    );
    expect(open.map((one) => one.id)).toEqual([order.replacedBy]);
    await trader.api.cancelOrder(order.replacedBy ?? '');
    await untilComplete(trader, order.replacedBy ?? '');
  }
  expect(await differences()).toEqual([]);
});

test('given a stop order that waits, it takes another trigger at once, and other terms replace it', {
  tags: ['long'],
}, async () => {
  const stop = { triggerPrice: '0.7', direction: 'above' } as const;
  const terms = { direction: 'BUY', ticker, contracts: '5', price: '0.75', stop } as const;
  const { intent } = await trader.api.createOrder(limitBody(sandbox(), trader, terms));
  await untilLogged(trader, intent.id, 'validated');
  const moved = await trader.api.amendOrder(intent.id, { triggerPrice: '0.65' });
  expect(moved.order).toMatchObject({
    trigger: { price: '0.65', triggeredAt: null },
    replacedBy: null,
  });
  const { order } = await trader.api.amendOrder(intent.id, {
    limitPrice: '0.8',
    triggerPrice: '0.6',
  });
  const id = order.replacedBy ?? '';
  await untilLogged(trader, intent.id, 'replaced');
  expect(await untilLogged(trader, id, 'validated')).toMatchObject({
    limitPrice: '0.8',
    remainingBaseQuantity: '5',
    trigger: { price: '0.6', direction: 'above', triggeredAt: null },
  });
  await controlExchange(sandbox(), 'market', { ticker, priceDollars: '0.62' });
  expect(await untilComplete(trader, id)).toMatchObject({ status: 'completed' });
  await controlExchange(sandbox(), 'market', { ticker, priceDollars: '0.5' });
  expect(await differences()).toEqual([]);
});

test('given a cancellation that races fills, what was filled by then is delivered, and the rest returned', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  for (let n = 0; n < 5; n += 1) {
    const before = await holdings();
    const id = await rest();
    await Promise.allSettled([fill(id, '2'), trader.api.cancelOrder(id), fill(id, '3.25')]);
    const order = await untilComplete(trader, id);
    const after = await holdings();
    expect(after.contractMicros - before.contractMicros).toBe(
      parseMicros(order.filledBaseQuantity ?? '0'),
    );
    expect(before.usdcMicros - after.usdcMicros).toBe(parseMicros(order.quoteAmount ?? '0'));
  }
  expect(await differences()).toEqual([]);
});

test('given a sale that rests, its parts are paid as they fill, and the rest of the tokens returns', {
  tags: ['long'],
}, async () => {
  const bought = await rest({ contracts: '6' });
  await fill(bought, '6');
  await untilComplete(trader, bought);
  const before = await holdings();
  const id = await rest({ direction: 'SELL', contracts: '6', price: '0.8' });
  await fill(id, '2.5');
  await untilLogged(trader, id, 'partially_filled');
  await trader.api.cancelOrder(id);
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({
    status: 'completed',
    filledBaseQuantity: '2.5',
    returnedBaseQuantity: '3.5',
    endReason: 'cancelled',
  });
  const after = await holdings();
  expect(before.contractMicros - after.contractMicros).toBe(2_500_000n);
  expect(formatMicros(after.usdcMicros - before.usdcMicros)).toBe(order.quoteAmount);
  expect(await differences()).toEqual([]);
});

test('given orders that never rest, they trade at their price on arrival or return whole', {
  tags: ['long'],
}, async () => {
  const place = async (terms: Partial<Parameters<typeof limitBody>[2]>) => {
    const order = { direction: 'BUY', ticker, contracts: '5', price: '0.6', ...terms } as const;
    const { intent } = await trader.api.createOrder(limitBody(sandbox(), trader, order));
    return await untilComplete(trader, intent.id);
  };
  expect(await place({ timeInForce: 'IOC' })).toMatchObject({
    status: 'completed',
    filledBaseQuantity: '5',
  });
  expect(await place({ timeInForce: 'FOK', price: '0.2' })).toMatchObject({ status: 'failed' });
  const crossed = await place({ postOnly: true });
  expect(crossed).toMatchObject({
    status: 'failed',
    terminationReason: 'post_only_would_cross',
    returnedQuoteAmount: lockOf(crossed),
  });
  expect(await differences()).toEqual([]);
});

test('given a processor that dies while an order rests, its fills are delivered by the next one', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const before = await holdings();
  const id = await rest();
  await fill(id, '1');
  process.kill(await runningProcessor(stack), 'SIGKILL');
  await fill(id, '3');
  await untilLogged(trader, id, 'partially_filled');
  process.kill(await runningProcessor(stack), 'SIGKILL');
  await trader.api.cancelOrder(id);
  await fill(id, '0.5').catch(() => undefined);
  const order = await untilComplete(trader, id);
  const after = await holdings();
  expect(after.contractMicros - before.contractMicros).toBe(
    parseMicros(order.filledBaseQuantity ?? '0'),
  );
  expect(formatMicros(before.usdcMicros - after.usdcMicros)).toBe(order.quoteAmount);
  expect(await differences()).toEqual([]);
});

test('given an order of the own wallet, its owner ends it on chain alone', {
  tags: ['long'],
}, async () => {
  const before = await holdings();
  const terms = { direction: 'BUY', ticker, contracts: '4', price: '0.25' } as const;
  const body = limitBody(sandbox(), trader, terms);
  const { intent, transactions } = await trader.api.createCalldataOrder(body);
  await sendTransactions(sandbox(), trader, transactions);
  await untilLogged(trader, intent.id, 'resting');
  await fill(intent.id, '1');
  await requestEnd(sandbox(), dataDir, trader, intent.id);
  const order = await untilComplete(trader, intent.id);
  expect(order).toMatchObject({
    status: 'completed',
    filledBaseQuantity: '1',
    endReason: 'ended_on_chain',
    source: 'calldata',
  });
  const after = await holdings();
  expect(formatMicros(before.usdcMicros - after.usdcMicros)).toBe(order.quoteAmount);
  expect(await differences()).toEqual([]);
});

test('given an end time, the order leaves the book then and returns what is unfilled', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const expiresAt = new Date(Date.now() + 70_000).toISOString();
  const id = await rest({ timeInForce: 'GTD', expiresAt });
  await fill(id, '0.25');
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({
    status: 'completed',
    filledBaseQuantity: '0.25',
    endReason: 'expired_unfilled',
  });
  expect(await differences()).toEqual([]);
});

test('given every resting order of a market, one call cancels them', {
  tags: ['long'],
}, async () => {
  const ids = [await rest(), await rest({ price: '0.2' })];
  const cancelled = await trader.api.cancelOrders({ ticker });
  expect(cancelled.ids.toSorted()).toEqual(ids.toSorted());
  for (const id of ids) {
    expect(await untilComplete(trader, id)).toMatchObject({
      status: 'failed',
      terminationReason: 'cancelled',
    });
  }
});
