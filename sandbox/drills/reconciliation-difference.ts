import assert from 'node:assert/strict';
import { createWalletClient, encodeFunctionData, erc20Abi, http } from 'viem';
import { base } from '#lib/chains.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { chainReader } from '#sandbox/testing/chainTrader.ts';
import { createTrader, findLiquidMarket, type Trader } from '#sandbox/testing/trader.ts';
import { encodeAccountExecute } from '#server/chain/accountExecute.ts';
import type { Desk } from './desk.ts';
import type { Drill } from './drill.ts';
import { expectCompleted, placeBuy, refusalOf } from './orders.ts';

export const reconciliationDifference: Drill = {
  name: 'reconciliation-difference',
  async play(desk) {
    const trader = await createTrader(desk.sandbox());
    const ticker = await findLiquidMarket(trader);
    await expectCompleted(trader, await placeBuy(desk, trader, ticker));
    await desk.run('npm run reconcile');

    await tradeBeside(desk, ticker);
    const found = await desk.run('npm run reconcile', {}, 1);
    assert.match(found.output, /exchange_position/);
    assert.match(found.output, /exchange_cash/);
    assert.ok(found.output.includes(ticker), 'the market is named');
    await desk.untilStatus('the books differ', (status) => {
      const kinds = status.alerts.map(({ kind }) => kind);
      return kinds.includes('reconciliation_difference');
    });
    const suspensions = await desk.run('npm run ops -- suspensions');
    assert.ok(suspensions.output.includes(ticker));
    assert.equal(await refusalOf(placeBuy(desk, trader, ticker)), 'market_suspended');
    desk.say('a trade at the exchange that is not ours: found, named, and its market stopped');

    const accept = 'npm run reconcile -- --accept <kind> --note "bought by hand, ticket 1234"';
    await desk.run(accept, { kind: 'exchange_position' }, 1);
    await desk.run(accept, { kind: 'exchange_cash' });
    const after = await desk.run('npm run ops -- suspensions');
    assert.ok(!after.output.includes(ticker), 'the market is open again');
    await expectCompleted(trader, await placeBuy(desk, trader, ticker));
    const audit = await desk.run('npm run ops -- audit');
    assert.match(audit.output, /bought by hand, ticket 1234/);
    desk.say('looked into and accepted: the market is open, the reason is in the audit trail');

    await giveToVault(desk, trader, 777n);
    const gift = await desk.run('npm run reconcile', {}, 1);
    assert.match(gift.output, /vault_cash/);
    assert.match(gift.output, /777/);
    await expectCompleted(trader, await placeBuy(desk, trader, ticker));
    await desk.run(accept, { kind: 'vault_cash' });
    desk.say('money that belongs to no market stops none');

    const order = await placeBuy(desk, trader, ticker);
    await expectCompleted(trader, order);
    await tamper(desk, order, 1);
    const tampered = await desk.run('npm run reconcile -- --json', {}, 1);
    assert.ok(tampered.output.includes(order), 'the order is named');
    await desk.run('npm run ops -- show <intent>', { intent: order });
    await tamper(desk, order, -1);
    await desk.run('npm run reconcile');
    await desk.untilStatus('the alert is over', (status) => status.alerts.length === 0, 90_000);
    desk.say('a changed line of the books names its order; put right, alert and suspension go');
  },
};

/** Somebody trades on our account at the exchange, past the service. */
async function tradeBeside(desk: Desk, ticker: string): Promise<void> {
  const placed = await withRuntime(desk.dataDir, ({ exchange }) =>
    exchange.placeOrder({
      clientOrderId: 'past-the-service',
      ticker,
      action: 'buy',
      side: 'yes',
      contractMicros: 3_000_000n,
      limitPriceMicros: 980_000n,
      storedAt: new Date(),
      mayBeSent: async () => true,
    }),
  );
  assert.equal(placed.kind, 'done');
}

async function giveToVault(desk: Desk, trader: Trader, usdcMicros: bigint): Promise<void> {
  const { rpcUrl, contracts } = desk.sandbox();
  const sender = createWalletClient({
    account: trader.wallet,
    chain: base,
    transport: http(rpcUrl),
  });
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [contracts.swapVault, usdcMicros],
  });
  const hash = await sender.sendTransaction({
    to: trader.account,
    data: encodeAccountExecute([{ to: contracts.usdc, value: 0n, data }]),
  });
  const receipt = await chainReader(desk.sandbox()).waitForTransactionReceipt({ hash });
  assert.equal(receipt.status, 'success');
}

/** Changes a line of the books by hand, as nobody ever should. */
async function tamper(desk: Desk, order: string, micros: number): Promise<void> {
  await withRuntime(desk.dataDir, async ({ database }) => {
    const { rowCount } = await database.pool.query(
      `update ledger_entries set amount_micros = amount_micros + $2
       where order_id = $1 and posting = 'deliver' and account = 'house'`,
      [order, micros],
    );
    assert.equal(rowCount, 1);
  });
}
