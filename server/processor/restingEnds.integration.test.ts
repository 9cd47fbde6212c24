import { encodeFunctionData } from 'viem';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { controlChainFaults, REVERTS_ALWAYS } from '#sandbox/testing/chainFaults.ts';
import {
  claimTokens,
  createPlainWalletTrader,
  sendTransactions,
} from '#sandbox/testing/chainTrader.ts';
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
import { listAlerts } from '#server/domain/admin/alerts.ts';
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
async function restFilledInPart(
  end: Partial<Parameters<typeof limitBody>[2]> = {},
  by = trader,
): Promise<string> {
  const terms = { direction: 'BUY', ticker, contracts: '10', price: '0.3', ...end } as const;
  const { intent } = await by.api.createOrder(limitBody(sandbox(), by, terms));
  await untilLogged(by, intent.id, 'resting');
  await fill(intent.id, '2');
  return intent.id;
}

const fill = (id: string, contracts: string) =>
  fillRestingOrder(sandbox(), { clientOrderId: clientOrderIdOf(id, 1) }, contracts);

/** The order ends for a reason, with its two contracts delivered and the rest of its lock back. */
async function expectEnded(id: string, endReason: string, filled = '2'): Promise<void> {
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: filled, endReason });
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
  const filled = parseMicros(order.filledBaseQuantity ?? '0');
  expect(after.contractMicros - before.contractMicros).toBe(filled);
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
  const order = await untilComplete(trader, id);
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

test(
  'given an end that passes while the exchange is down, proves it afterwards',
  LONG,
  async () => {
    const before = await holdings(trader);
    const expiresAt = new Date(Date.now() + 65_000);
    const terms = { timeInForce: 'GTD', expiresAt: expiresAt.toISOString() } as const;
    const id = await restFilledInPart(terms);
    await untilLogged(trader, id, 'partially_filled');
    const { exchange } = sandbox().pids;
    // Nothing of this fill can be read before the exchange is back.
    await fill(id, '1.5');
    for (const pid of exchange) process.kill(pid, 'SIGSTOP');
    try {
      const isOver = () => Date.now() > expiresAt.getTime() + 5_000 || undefined;
      await pollUntil(isOver, { everyMs: 500 });
      expect(await trader.api.getOrder(id)).toMatchObject({ isComplete: false });
    } finally {
      for (const pid of exchange) process.kill(pid, 'SIGCONT');
    }
    await expectEnded(id, 'expired_unfilled', '3.5');
    await expectExact(before, id);
  },
);

test(
  'given an exchange that neither cancels an order nor ends it, alerts, and ends it once it does',
  LONG,
  async () => {
    const before = await holdings(trader);
    const id = await restFilledInPart();
    await untilLogged(trader, id, 'partially_filled');
    const never = { kind: 'cancel_not_found', times: 1_000 };
    await controlExchange(sandbox(), 'faults', { arm: [never] });
    await trader.api.cancelOrder(id);
    const alert = await withRuntime(dataDir, async (runtime) => {
      const find = async () =>
        (await listAlerts(runtime, { kind: 'step_failing' })).find((one) => one.subject === id);
      return await pollUntil(find, { everyMs: 250 });
    });
    expect(alert?.internalDetail).toContain('does not cancel it: not_found');
    await controlExchange(sandbox(), 'faults', { clear: true });
    await expectEnded(id, 'cancelled');
    await expectExact(before, id);
  },
);

test(
  'given a receiver that refuses a part, the part becomes claimable and the order goes on',
  LONG,
  async () => {
    const wallet = await createPlainWalletTrader(sandbox());
    const chain = controlChainFaults(sandbox());
    const rest = async (terms: Pick<Parameters<typeof limitBody>[2], 'direction' | 'price'>) => {
      const body = limitBody(sandbox(), wallet, { ticker, contracts: '5', ...terms });
      const { intent, transactions } = await wallet.api.createCalldataOrder(body);
      await sendTransactions(sandbox(), wallet, transactions);
      await untilLogged(wallet, intent.id, 'resting');
      return intent.id;
    };
    const fillRefused = async (id: string) => {
      await fill(id, '2');
      const order = await untilLogged(wallet, id, 'partially_filled');
      const refusal = { type: 'receiver_refused', detail: 'claimable' };
      expect(order.events).toContainEqual(expect.objectContaining(refusal));
      expect(await stack.differences()).toEqual([]);
    };
    const claim = async () => {
      const args = [wallet.account] as const;
      const data = encodeFunctionData({ abi: swapVaultAbi, functionName: 'claim', args });
      const to = sandbox().contracts.swapVault;
      await sendTransactions(sandbox(), wallet, [{ to, value: '0', data }]);
    };
    const start = await holdings(wallet);

    const bought = await rest({ direction: 'BUY', price: '0.3' });
    await chain.setCode(wallet.account, REVERTS_ALWAYS);
    await fillRefused(bought);
    await chain.setCode(wallet.account, '0x');
    await fill(bought, '3');
    const purchase = await untilComplete(wallet, bought);
    expect(purchase).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
    const between = await holdings(wallet);
    expect(between.contractMicros).toBe(3_000_000n);
    expect(start.usdcMicros - between.usdcMicros).toBe(parseMicros(purchase.quoteAmount ?? '0'));
    await claimTokens(sandbox(), wallet, { ticker, side: 'yes' });

    const sold = await rest({ direction: 'SELL', price: '0.8' });
    await chain.setUsdcBlocked(wallet.account, true);
    await fillRefused(sold);
    expect(await holdings(wallet)).toEqual({ ...between, contractMicros: 0n });
    await chain.setUsdcBlocked(wallet.account, false);
    await fill(sold, '3');
    const sale = await untilComplete(wallet, sold);
    expect(sale).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
    await claim();
    const end = await holdings(wallet);
    expect(end.usdcMicros - between.usdcMicros).toBe(parseMicros(sale.quoteAmount ?? '0'));

    const unfilled = await rest({ direction: 'BUY', price: '0.2' });
    await chain.setUsdcBlocked(wallet.account, true);
    await wallet.api.cancelOrder(unfilled);
    expect(await untilComplete(wallet, unfilled)).toMatchObject({ terminationReason: 'cancelled' });
    expect(await stack.differences()).toEqual([]);
    await chain.setUsdcBlocked(wallet.account, false);
    await claim();
    expect(await holdings(wallet)).toEqual(end);
    expect(await stack.differences()).toEqual([]);
  },
);

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
  await fill(id, '1');
  const ending = await pollUntil(
    async () => (await trader.api.getOrder(id)).endReason ?? undefined,
    { everyMs: 250 },
  );
  expect(ending).toBe('vault_paused');
  await chain.setVaultPaused(false);
  const order = await untilComplete(trader, id);
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
    expect(await pollUntil(isGone, { everyMs: 1_000 })).toBe(true);
  },
);
