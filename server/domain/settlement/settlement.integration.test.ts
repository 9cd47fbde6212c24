import { describe, expect, test } from 'vitest';
import { base } from '#lib/chains.ts';
import { MICROS } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { sendTransactions } from '#sandbox/testing/chainTrader.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import {
  createTrader,
  orderBody,
  readHoldings,
  signIn,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import {
  buyOn,
  placeOn,
  takeMarket,
  untilFinished,
  untilRedeemable,
} from '#sandbox/testing/trades.ts';
import { closeDatabase, openDatabase } from '../../platform/database/client.ts';
import { listAlerts } from '../admin/alerts.ts';
import { approveProposal, proposePayout } from './adminActions.ts';
import { findSettlement } from './settlementStore.ts';

const sandbox = sandboxUnderTest();
const trade = placeOn(sandbox);
const buy = buyOn(sandbox);

/** Winning contracts, and the transaction that their owner signs to redeem them. */
async function prepareOwnRedemption(contracts: string) {
  const trader = await createTrader(sandbox);
  const ticker = await takeMarket(trader);
  await buy(trader, ticker, 'yes', contracts);
  await controlExchange(sandbox, 'settle', { ticker, result: 'yes' });
  await untilRedeemable(trader, ticker);
  const before = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });
  const sell = {
    direction: 'SELL',
    ticker,
    side: 'yes',
    contracts,
    quoteLimit: contracts,
  } as const;
  const batch = await trader.api.createCalldataOrder(orderBody(sandbox, trader, sell));
  return { trader, ticker, before, batch };
}

describe('a settled market', () => {
  test('pays its winners a dollar each through a SELL of the settled side', async () => {
    const trader = await createTrader(sandbox);
    const ticker = await takeMarket(trader);
    await buy(trader, ticker, 'yes', '7');
    await buy(trader, ticker, 'no', '3');
    await controlExchange(sandbox, 'settle', { ticker, result: 'yes' });
    await untilFinished(trader, ticker);
    const before = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });
    const redeemed = await trade(trader, {
      direction: 'SELL',
      ticker,
      side: 'yes',
      contracts: '7',
      quoteLimit: '7',
    });
    const after = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });

    expect(redeemed).toMatchObject({
      status: 'completed',
      filledBaseQuantity: '7',
      quoteAmount: '7',
      feeQuoteAmount: '0',
      terminationReason: null,
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    expect(after.usdcMicros - before.usdcMicros).toBe(7n * MICROS);
    expect(after.contractMicros).toBe(0n);

    const losing = await trade(trader, {
      direction: 'SELL',
      ticker,
      side: 'no',
      contracts: '3',
      quoteLimit: '0',
    });
    expect(losing).toMatchObject({ status: 'completed', quoteAmount: '0' });
    const left = await readHoldings(sandbox, trader.account, { ticker, side: 'no' });
    expect(left).toEqual({ usdcMicros: after.usdcMicros, contractMicros: 0n });
  });

  test('refuses a price limit above the payout, and buying', { tags: ['long'] }, async () => {
    const trader = await createTrader(sandbox);
    const ticker = await takeMarket(trader);
    await buy(trader, ticker, 'no', '2');
    await controlExchange(sandbox, 'settle', {
      ticker,
      result: 'scalar',
      payoutYesDollars: '0.25',
    });
    await untilFinished(trader, ticker);
    const sell = { direction: 'SELL', ticker, side: 'no', contracts: '2' } as const;
    await expect(trade(trader, { ...sell, quoteLimit: '1.500001' })).rejects.toMatchObject({
      status: 422,
      code: 'limit_not_allowed',
    });
    await expect(
      trade(trader, { ...sell, direction: 'BUY', quoteLimit: '1.9' }),
    ).rejects.toMatchObject({
      status: 422,
      code: 'market_not_open',
    });
    await untilRedeemable(trader, ticker);
    const [entry] = await trader.api.getPortfolio(trader.account);
    expect(entry?.portfolioItem).toMatchObject({
      amount: '2',
      redeemable: true,
      redeemableAmount: '1.5',
    });

    const before = await readHoldings(sandbox, trader.account, { ticker, side: 'no' });
    await trade(trader, { ...sell, contracts: '0.5', quoteLimit: '0.375' });
    const after = await readHoldings(sandbox, trader.account, { ticker, side: 'no' });
    expect(after.usdcMicros - before.usdcMicros).toBe(375_000n);
    expect(after.contractMicros).toBe(1_500_000n);
  });

  test('given a value without a result, pays nothing until two admins agree on the payout', {
    tags: ['long'],
  }, async () => {
    const trader = await createTrader(sandbox);
    const ticker = await takeMarket(trader);
    await buy(trader, ticker, 'yes', '4');
    await controlExchange(sandbox, 'settle', { ticker, result: '', payoutYesDollars: '0.37' });
    const database = openDatabase({
      url: sandbox.databaseUrl,
      applicationName: 'test',
      maxConnections: 2,
    });
    try {
      const isAlerted = async () => {
        const alerts = await listAlerts({ database }, { kind: 'settlement_unreadable' });
        return alerts.some(({ subject }) => subject === ticker) || undefined;
      };
      await pollUntil(isAlerted, { everyMs: 250 });
      expect(await findSettlement(database.orm, ticker)).toBe(undefined);
      const act = { ticker, payoutYesMicros: 370_000n, reason: 'by its page' };
      expect(await proposePayout({ database }, { ...act, by: 'Ada' })).toBe('pending');
      await approveProposal({ database }, { ...act, by: 'Wim' });
    } finally {
      await closeDatabase(database);
    }
    await untilRedeemable(trader, ticker);
    const before = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });
    const sell = { direction: 'SELL', ticker, side: 'yes', contracts: '4' } as const;
    await trade(trader, { ...sell, quoteLimit: '1.48' });
    const after = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });
    expect(after.usdcMicros - before.usdcMicros).toBe(1_480_000n);
  });

  test('redeems all positions once, however often the request is repeated', async () => {
    const trader = await createTrader(sandbox);
    const [first, second] = [await takeMarket(trader), await takeMarket(trader)];
    await buy(trader, first, 'yes', '4');
    await buy(trader, second, 'no', '5');
    await controlExchange(sandbox, 'settle', { ticker: first, result: 'yes' });
    await controlExchange(sandbox, 'settle', {
      ticker: second,
      result: 'void',
      payoutYesDollars: '0.5',
    });
    await untilRedeemable(trader, first);
    await untilRedeemable(trader, second);
    const before = await readHoldings(sandbox, trader.account, { ticker: first, side: 'yes' });
    const request = { userAddress: trader.wallet.address, chainId: base.id };
    const { intents } = await trader.api.redeemPositions(request);
    expect(intents).toHaveLength(2);
    for (const { id } of intents) {
      expect(await untilComplete(trader, id)).toMatchObject({ status: 'completed' });
    }
    expect(await trader.api.redeemPositions(request)).toEqual({ success: true, intents: [] });
    const after = await readHoldings(sandbox, trader.account, { ticker: first, side: 'yes' });
    expect(after.usdcMicros - before.usdcMicros).toBe(6_500_000n);
  });

  test('redeems automatically unless the owner has turned it off', {
    tags: ['long'],
  }, async () => {
    const newcomer = await signIn(sandbox);
    expect(await newcomer.api.getAccountSettings()).toEqual({ autoRedeem: true });
    const trader = await createTrader(sandbox);
    expect(await trader.api.getAccountSettings()).toEqual({ autoRedeem: false });
    await trader.api.putAccountSettings({ autoRedeem: true });
    const ticker = await takeMarket(trader);
    await buy(trader, ticker, 'no', '6');
    const before = await readHoldings(sandbox, trader.account, { ticker, side: 'no' });
    await controlExchange(sandbox, 'settle', { ticker, result: 'no' });
    const redeemed = await pollUntil(
      async () => {
        const { orders } = await trader.api.listOrders({ userAddress: trader.wallet.address });
        return orders.find(
          (one) =>
            one.action.orderType === 'MarketOrder' && one.isComplete && one.quoteAmount === '6',
        );
      },
      { everyMs: 250 },
    );
    expect(redeemed).toMatchObject({ status: 'completed', filledBaseQuantity: '6' });
    const after = await readHoldings(sandbox, trader.account, { ticker, side: 'no' });
    expect(after.usdcMicros - before.usdcMicros).toBe(6n * MICROS);
  });

  test('recognises a redemption by the user’s own transaction', {
    tags: ['long'],
  }, async () => {
    const { trader, ticker, before, batch } = await prepareOwnRedemption('2.5');
    await sendTransactions(sandbox, trader, batch.transactions);
    const order = await untilComplete(trader, batch.intent.id);
    expect(order).toMatchObject({ status: 'completed', source: 'calldata', quoteAmount: '2.5' });
    const after = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });
    expect(after.usdcMicros - before.usdcMicros).toBe(2_500_000n);
  });

  test('cancels an unsent redemption without delay, and pays it when it is sent after all', {
    tags: ['long'],
  }, async () => {
    const { trader, ticker, before, batch } = await prepareOwnRedemption('1.5');
    await trader.api.cancelOrder(batch.intent.id);
    const order = await untilComplete(trader, batch.intent.id);
    expect(order).toMatchObject({ status: 'failed', terminationReason: 'cancelled' });

    await sendTransactions(sandbox, trader, batch.transactions);
    const paid = await pollUntil(
      async () => {
        const after = await readHoldings(sandbox, trader.account, { ticker, side: 'yes' });
        return after.usdcMicros - before.usdcMicros === 1_500_000n || undefined;
      },
      { everyMs: 100 },
    );
    expect(paid).toBe(true);
  });
});
