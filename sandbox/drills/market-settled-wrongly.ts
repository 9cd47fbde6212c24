import assert from 'node:assert/strict';
import { privateKeyToAddress } from 'viem/accounts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { createTrader, orderBody, readHoldings } from '#sandbox/testing/trader.ts';
import { takeMarket, untilRedeemable } from '#sandbox/testing/trades.ts';
import type { Drill } from './drill.ts';
import { expectCompleted, placeBuy, refusalOf } from './orders.ts';

const CONTRACTS = 5;

export const marketSettledWrongly: Drill = {
  name: 'market-settled-wrongly',
  async play(adminConsole) {
    const trader = await createTrader(adminConsole.sandbox());
    const ticker = await takeMarket(trader);
    await expectCompleted(trader, await placeBuy(adminConsole, trader, ticker, CONTRACTS));
    const { chain } = await adminConsole.secrets();
    const keys = {
      'resolver-key': adminConsole.file('resolver.key', chain.resolver),
      'attestor-key': adminConsole.file('attestor.key', chain.attestor),
      'pauser-key': adminConsole.file('pauser.key', chain.admin),
    };

    const propose = 'npm run vault -- propose <ticker> <payout-yes> --key-file <resolver-key>';
    const proposal = { ...keys, ticker, 'payout-yes': '0' };
    const refused = await adminConsole.run(propose, proposal, 1);
    assert.match(refused.output, /MarketNotRegistered/);
    adminConsole.say('the resolver’s key alone settles nothing that the exchange has not decided');
    await adminConsole.run(
      'npm run vault -- register <ticker> --key-file <attestor-key>',
      proposal,
    );
    await adminConsole.run(propose, proposal);
    const alarmed = await adminConsole.untilStatus(
      'a settlement is not ours',
      ({ alerts: current }) => {
        const kinds = current.map(({ kind }) => kind);
        const leaked = kinds.filter((kind) => kind === 'key_used_elsewhere');
        return kinds.includes('settlement_unasked') && leaked.length === 2;
      },
    );
    assert.equal(alarmed.status, 'degraded');
    const alerts = await adminConsole.run('npm run ops -- alerts');
    assert.ok(alerts.output.includes(ticker), 'the alert names the market');
    assert.equal(await refusalOf(placeBuy(adminConsole, trader, ticker)), 'market_suspended');
    const market = await adminConsole.run('npm run vault -- market <ticker>', { ticker });
    assert.match(market.output, /proposed {2}YES pays 0, NO 1/);
    adminConsole.say(
      'a false proposal: noticed before its delay ends, and its market is suspended',
    );

    const veto = 'npm run vault -- veto <ticker> --key-file <pauser-key>';
    await adminConsole.run(veto, { ...keys, ticker });
    const resolved =
      'npm run ops -- resolve-alert key_used_elsewhere <address> --why "looked into"';
    for (const key of [chain.resolver, chain.attestor]) {
      await adminConsole.run(resolved, { address: privateKeyToAddress(key) });
    }
    await adminConsole.untilStatus('the alerts end', (status) => status.alerts.length === 0);
    const open = await adminConsole.run('npm run vault -- market <ticker>', { ticker });
    assert.match(open.output, /open/);
    await expectCompleted(trader, await placeBuy(adminConsole, trader, ticker, 1));
    adminConsole.say('vetoed: the market is open as before, and trades');

    await controlExchange(adminConsole.sandbox(), 'settle', { ticker, result: 'yes' });
    await adminConsole.untilStatus('the settlement is held', ({ alerts: current }) =>
      current.some(({ kind }) => kind === 'settlement_held'),
    );
    adminConsole.say('the exchange has decided: over a veto no process proposes, a person must');
    await adminConsole.run('npm run ops -- propose <ticker> --why "as the exchange decided"', {
      ticker,
    });
    await untilRedeemable(trader, ticker);
    await adminConsole.untilStatus('the alert is over', (status) => status.alerts.length === 0);
    adminConsole.say('proposed as the exchange decided, and final after the delay');

    const outcome = { ticker, side: 'yes' } as const;
    const before = await readHoldings(adminConsole.sandbox(), trader.account, outcome);
    const contracts = `${CONTRACTS + 1}`;
    const sell = { direction: 'SELL', ...outcome, contracts, quoteLimit: contracts } as const;
    const { intent } = await trader.api.createOrder(
      orderBody(adminConsole.sandbox(), trader, sell),
    );
    await expectCompleted(trader, intent.id);
    const after = await readHoldings(adminConsole.sandbox(), trader.account, outcome);
    assert.equal(after.usdcMicros - before.usdcMicros, BigInt(contracts) * 1_000_000n);
    adminConsole.say('its holders were paid what the exchange decided');
  },
};
