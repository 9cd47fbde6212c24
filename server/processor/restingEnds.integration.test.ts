import { beforeAll, beforeEach, expect, test } from 'vitest';
import { parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import { controlExchange, fillRestingOrder } from '#sandbox/testing/exchangeControl.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { shardOf } from '#sandbox/testing/shards.ts';
import {
  createTrader,
  limitBody,
  readHoldings,
  type Trader,
  untilComplete,
  untilLogged,
} from '#sandbox/testing/trader.ts';
import { takeMarket } from '#sandbox/testing/trades.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';

/**
 * What ends a resting order other than its owner. Each has filled a part before, which is delivered;
 * the rest returns, exact on chain and in the books.
 */

const stack = ownTestStack('resting-ends');
const { dataDir, description: sandbox } = stack;
let trader: Trader;
let ticker = '';

beforeAll(async () => {
  trader = await createTrader(sandbox());
});
// Each ends its market in its own way.
beforeEach(async () => {
  ticker = await takeMarket(trader);
  await market({ takers: false, priceDollars: '0.5' });
});

const market = (change: object) => controlExchange(sandbox(), 'market', { ticker, ...change });
const holdings = (of: Trader) => readHoldings(sandbox(), of.account, { ticker, side: 'yes' });
const LONG = { tags: ['long'], timeout: 180_000 };

/** A purchase of ten at 30¢ of which two are filled. */
async function restFilledInPart(by = trader): Promise<string> {
  const terms = { direction: 'BUY', ticker, contracts: '10', price: '0.3' } as const;
  const { intent } = await by.api.createOrder(limitBody(sandbox(), by, terms));
  await untilLogged(by, intent.id, 'resting');
  await fillRestingOrder(sandbox(), { clientOrderId: clientOrderIdOf(intent.id, 1) }, '2');
  return intent.id;
}

/** The order ends for a reason, with its two contracts delivered and the rest of its lock back. */
async function expectEnded(id: string, endReason: string, by = trader): Promise<void> {
  const order = await untilComplete(by, id, 90_000);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '2', endReason });
  if (order.action.orderType !== 'LimitOrder') throw new Error('not a limit order');
  const locked = parseMicros(order.action.order.maxQuoteQuantityIn ?? '0');
  const spent = parseMicros(order.quoteAmount ?? '0');
  expect(parseMicros(order.returnedQuoteAmount ?? '0')).toBe(locked - spent);
}

async function expectExact(
  before: Awaited<ReturnType<typeof holdings>>,
  id: string,
): Promise<void> {
  const after = await holdings(trader);
  const order = await trader.api.getOrder(id);
  expect(after.contractMicros - before.contractMicros).toBe(2_000_000n);
  expect(before.usdcMicros - after.usdcMicros).toBe(parseMicros(order.quoteAmount ?? '0'));
  expect(await stack.differences()).toEqual([]);
}

test('given a market that closes early, ends it with what it has filled', LONG, async () => {
  const before = await holdings(trader);
  const id = await restFilledInPart();
  await market({ close: true });
  await expectEnded(id, 'market_ended');
  await expectExact(before, id);
});

test(
  'given a market that is deactivated and back, ends it and does not place it again',
  LONG,
  async () => {
    const before = await holdings(trader);
    const id = await restFilledInPart();
    await market({ paused: true });
    await market({ paused: false });
    await expectEnded(id, 'exchange_halted');
    const order = await trader.api.getOrder(id);
    expect(order.events.filter(({ type }) => type === 'resting')).toHaveLength(1);
    await expectExact(before, id);
  },
);

test('given prices whose ticks change under it, ends it', LONG, async () => {
  const before = await holdings(trader);
  const id = await restFilledInPart();
  await market({ structure: 'deci_cent' });
  const order = await untilComplete(trader, id, 90_000);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '2' });
  await expectExact(before, id);
});

test(
  'given a settlement right after a fill, delivers the fill before the vault pays',
  LONG,
  async () => {
    const id = await restFilledInPart();
    await controlExchange(sandbox(), 'settle', { ticker, result: 'yes' });
    await expectEnded(id, 'market_ended');
    expect(await stack.differences()).toEqual([]);
  },
);

test('given an exchange that is paused, ends it once the exchange is back', LONG, async () => {
  const before = await holdings(trader);
  const id = await restFilledInPart();
  await untilLogged(trader, id, 'partially_filled');
  await controlExchange(sandbox(), 'exchange', { exchangeActive: false });
  await trader.api.cancelOrder(id);
  const ending = await untilLogged(trader, id, 'ending');
  expect(ending).toMatchObject({ isComplete: false, endReason: 'cancelled' });
  await controlExchange(sandbox(), 'exchange', { exchangeActive: true });
  await expectEnded(id, 'cancelled');
  await expectExact(before, id);
});

test('given trading that pauses, it stays and can be cancelled', LONG, async () => {
  const before = await holdings(trader);
  const id = await restFilledInPart();
  await controlExchange(sandbox(), 'exchange', { tradingActive: false });
  try {
    await untilLogged(trader, id, 'partially_filled');
    expect(await trader.api.getOrder(id)).toMatchObject({ isComplete: false, endReason: null });
    await trader.api.cancelOrder(id);
    await expectEnded(id, 'cancelled');
  } finally {
    await controlExchange(sandbox(), 'exchange', { tradingActive: true });
  }
  await expectExact(before, id);
});

test('given an order that the exchange has archived, reads its end there', LONG, async () => {
  const before = await holdings(trader);
  const id = await restFilledInPart();
  await untilLogged(trader, id, 'partially_filled');
  await controlExchange(sandbox(), 'archive', { ordersMs: 0 });
  await market({ close: true });
  await expectEnded(id, 'market_ended');
  await expectExact(before, id);
});

test('given a vault that is paused, ends it and returns the rest afterwards', LONG, async () => {
  const before = await holdings(trader);
  const id = await restFilledInPart();
  await untilLogged(trader, id, 'partially_filled');
  const chain = controlChainFaults(sandbox());
  await chain.setVaultPaused(true);
  await fillRestingOrder(sandbox(), { clientOrderId: clientOrderIdOf(id, 1) }, '1');
  const ending = await pollUntil(
    async () => (await trader.api.getOrder(id)).endReason ?? undefined,
    { timeoutMs: 60_000, everyMs: 250 },
  );
  expect(ending).toBe('vault_paused');
  await chain.setVaultPaused(false);
  const order = await untilComplete(trader, id, 90_000);
  const after = await holdings(trader);
  expect(before.usdcMicros - after.usdcMicros).toBe(parseMicros(order.quoteAmount ?? '0'));
  expect(after.contractMicros - before.contractMicros).toBe(
    parseMicros(order.filledBaseQuantity ?? '0'),
  );
});

test(
  'given an order at the exchange that no order of ours stands behind, cancels it',
  LONG,
  async () => {
    const clientOrderId = clientOrderIdOf('00000000-0000-4000-8000-00000000dead', 1);
    const findOrphan = () =>
      withRuntime(dataDir, async ({ exchange }) =>
        (await exchange.listRestingOrders()).find((one) => one.clientOrderId === clientOrderId),
      );
    await withRuntime(dataDir, async ({ exchange }) => {
      await exchange.placeOrder({
        clientOrderId,
        ticker,
        shard: await shardOf(exchange, ticker),
        action: 'buy',
        side: 'yes',
        contractMicros: 3_000_000n,
        limitPriceMicros: 200_000n,
        timeInForce: 'resting',
        storedAt: new Date(),
        mayBeSent: async () => true,
      });
    });
    const isGone = async () => ((await findOrphan()) === undefined ? true : undefined);
    expect(await pollUntil(isGone, { timeoutMs: 60_000, everyMs: 1_000 })).toBe(true);
  },
);
