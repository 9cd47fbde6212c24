import assert from 'node:assert/strict';
import { createWalletClient, encodeFunctionData, erc20Abi, http } from 'viem';
import { base } from '#lib/chains.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { chainReader } from '#sandbox/testing/chainTrader.ts';
import { shardOf } from '#sandbox/testing/shards.ts';
import { createTrader, findLiquidMarket, type Trader } from '#sandbox/testing/trader.ts';
import { encodeAccountExecute } from '#server/chain/accountExecute.ts';
import type { AdminConsole } from './adminConsole.ts';
import type { Drill } from './drill.ts';
import { expectCompleted, placeBuy, refusalOf } from './orders.ts';

export const reconciliationDifference: Drill = {
  name: 'reconciliation-difference',
  async play(adminConsole) {
    const trader = await createTrader(adminConsole.sandbox());
    const ticker = await findLiquidMarket(trader);
    await expectCompleted(trader, await placeBuy(adminConsole, trader, ticker));
    await adminConsole.run('npm run reconcile');

    await tradeBeside(adminConsole, ticker);
    const found = await adminConsole.run('npm run reconcile', {}, 1);
    assert.match(found.output, /exchange_position/);
    assert.match(found.output, /exchange_cash/);
    assert.ok(found.output.includes(ticker), 'the market is named');
    await adminConsole.untilStatus('the books differ', (status) => {
      const kinds = status.alerts.map(({ kind }) => kind);
      return kinds.includes('reconciliation_difference');
    });
    const suspensions = await adminConsole.run('npm run ops -- suspensions');
    assert.ok(suspensions.output.includes(ticker));
    assert.equal(await refusalOf(placeBuy(adminConsole, trader, ticker)), 'market_suspended');
    adminConsole.say(
      'a trade at the exchange that is not ours: found, named, and its market stopped',
    );

    const accept = 'npm run reconcile -- --accept <kind> --note "bought by hand, ticket 1234"';
    await adminConsole.run(accept, { kind: 'exchange_position' }, 1);
    await adminConsole.run(accept, { kind: 'exchange_cash' });
    const after = await adminConsole.run('npm run ops -- suspensions');
    assert.ok(!after.output.includes(ticker), 'the market is open again');
    await expectCompleted(trader, await placeBuy(adminConsole, trader, ticker));
    const audit = await adminConsole.run('npm run ops -- audit');
    assert.match(audit.output, /bought by hand, ticket 1234/);
    adminConsole.say(
      'looked into and accepted: the market is open, the reason is in the audit trail',
    );

    await giveToVault(adminConsole, trader, 777n);
    const gift = await adminConsole.run('npm run reconcile', {}, 1);
    assert.match(gift.output, /vault_cash/);
    assert.match(gift.output, /777/);
    await expectCompleted(trader, await placeBuy(adminConsole, trader, ticker));
    await adminConsole.run(accept, { kind: 'vault_cash' });
    adminConsole.say('money that belongs to no market stops none');

    const order = await placeBuy(adminConsole, trader, ticker);
    await expectCompleted(trader, order);
    await tamper(adminConsole, order, 1);
    const tampered = await adminConsole.run('npm run reconcile -- --json', {}, 1);
    assert.ok(tampered.output.includes(order), 'the order is named');
    await adminConsole.run('npm run ops -- show <order>', { order });
    await tamper(adminConsole, order, -1);
    await adminConsole.run('npm run reconcile');
    await adminConsole.untilStatus(
      'the alert is over',
      (status) => status.alerts.length === 0,
      90_000,
    );
    adminConsole.say(
      'a changed line of the books names its order; put right, alert and suspension go',
    );
  },
};

/** A trade on our account at the exchange, outside the service. */
async function tradeBeside(adminConsole: AdminConsole, ticker: string): Promise<void> {
  const placed = await withRuntime(adminConsole.dataDir, async ({ exchange }) =>
    exchange.placeOrder({
      clientOrderId: 'past-the-service',
      ticker,
      shard: await shardOf(exchange, ticker),
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

async function giveToVault(
  adminConsole: AdminConsole,
  trader: Trader,
  usdcMicros: bigint,
): Promise<void> {
  const { rpcUrl, contracts } = adminConsole.sandbox();
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
  const receipt = await chainReader(adminConsole.sandbox()).waitForTransactionReceipt({ hash });
  assert.equal(receipt.status, 'success');
}

/** Changes a ledger line directly, which no operation ever does. */
async function tamper(adminConsole: AdminConsole, order: string, micros: number): Promise<void> {
  await withRuntime(adminConsole.dataDir, async ({ database }) => {
    const { rowCount } = await database.pool.query(
      `update ledger_entries set amount_micros = amount_micros + $2
       where order_id = $1 and posting = 'deliver' and account = 'house'`,
      [order, micros],
    );
    assert.equal(rowCount, 1);
  });
}
