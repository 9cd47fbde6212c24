import assert from 'node:assert/strict';
import { controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import {
  createTrader,
  findLiquidMarket,
  readHoldings,
  signIn,
  WIDE_LIMITS,
} from '#sandbox/testing/trader.ts';
import type { Drill } from './drill.ts';
import { expectCompleted, placeBuy, placeWithdrawal, untilLive } from './orders.ts';

const GWEI = 10n ** 9n;

export const chainStalled: Drill = {
  name: 'chain-stalled',
  async play(adminConsole) {
    const chain = controlChainFaults(adminConsole.sandbox());
    const trader = await createTrader(adminConsole.sandbox(), WIDE_LIMITS);
    const friend = (await signIn(adminConsole.sandbox())).wallet.address;
    const ticker = await findLiquidMarket(trader);
    await expectCompleted(trader, await placeBuy(adminConsole, trader, ticker));

    await chain.holdMining();
    const order = await placeBuy(adminConsole, trader, ticker);
    const withdrawal = await placeWithdrawal(adminConsole, trader, '5', friend);
    await untilLive(trader, order, 'pending');
    const listed = await adminConsole.run('npm run ops -- list --all');
    assert.ok(listed.output.includes(order) && listed.output.includes(withdrawal));
    const shown = await adminConsole.run('npm run ops -- show <order>', { order });
    assert.match(shown.output, /request/);
    adminConsole.say('no block comes: orders are taken and wait for the chain, nothing is traded');
    await chain.releaseMining();
    await expectCompleted(trader, order);
    await expectCompleted(trader, withdrawal);
    const { usdcMicros } = await readHoldings(adminConsole.sandbox(), friend, {
      ticker,
      side: 'yes',
    });
    assert.equal(usdcMicros, 5_000_000n, 'the withdrawal arrived once');
    adminConsole.say('blocks arrive again: everything continues without help, and happens once');

    for (const pid of adminConsole.sandbox().pids.chain) process.kill(pid, 'SIGSTOP');
    await adminConsole.untilStatus('the node is down', (status) => status.chain.status === 'down');
    for (const pid of adminConsole.sandbox().pids.chain) process.kill(pid, 'SIGCONT');
    await adminConsole.untilStatus('the node responds', (status) => status.chain.status === 'ok');
    await expectCompleted(trader, await placeBuy(adminConsole, trader, ticker));
    adminConsole.say('the node was silent and came back');

    await chain.setBaseFee(400n * GWEI);
    const dear = await placeBuy(adminConsole, trader, ticker);
    await adminConsole.untilStatus('a transaction waits', (status) =>
      status.alerts.some(({ kind }) => kind === 'transaction_stuck'),
    );
    const alerts = await adminConsole.run('npm run ops -- alerts');
    assert.match(alerts.output, /gas costs .* gwei, above the gas price limit/);
    adminConsole.say('gas is dearer than we may pay: an alert says so, the order waits');
    await chain.setBaseFee(GWEI);
    await chain.mine();
    await expectCompleted(trader, dear);
    await adminConsole.untilStatus('the alert is over', (status) => status.alerts.length === 0);

    await chain.reorganise(1, { drop: await chain.listAdmins() });
    await expectCompleted(trader, await placeBuy(adminConsole, trader, ticker));
    adminConsole.say('the chain took its last block back: what was in it was sent again');
  },
};
