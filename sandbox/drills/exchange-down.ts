import assert from 'node:assert/strict';
import { pollUntil } from '#sandbox/process/poll.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { createTrader, findLiquidMarket, untilComplete } from '#sandbox/testing/trader.ts';
import type { Desk } from './desk.ts';
import type { Drill } from './drill.ts';
import { expectCompleted, placeBuy, refusalOf, untilStanding } from './orders.ts';

export const exchangeDown: Drill = {
  name: 'exchange-down',
  async play(desk) {
    const trader = await createTrader(desk.sandbox());
    const ticker = await findLiquidMarket(trader);
    await expectCompleted(trader, await placeBuy(desk, trader, ticker));

    await controlExchange(desk.sandbox(), 'faults', {
      arm: [{ kind: 'order_paused', times: 100_000 }],
    });
    const [waiting, refunded] = await Promise.all([
      placeBuy(desk, trader, ticker),
      placeBuy(desk, trader, ticker),
    ]);
    await untilStanding(trader, waiting, 'executing');
    await controlExchange(desk.sandbox(), 'exchange', { tradingActive: false });
    await desk.untilStatus('trading is halted', ({ exchange }) => exchange.status === 'degraded');
    desk.say('trading is halted, and the status says so; the orders under way wait');

    freezeExchange(desk, 'SIGSTOP');
    await desk.untilStatus('the exchange is down', ({ exchange }) => exchange.status === 'down');
    const refusal = await refusalOf(placeBuy(desk, trader, ticker));
    assert.ok(refusal === undefined || /unavailable|paused|closed/.test(refusal), refusal);
    desk.say(
      `the exchange is silent; a new order ${refusal ? `is refused (${refusal})` : 'waits'}`,
    );

    await desk.run('npm run ops -- pause --why "the exchange is down"');
    assert.equal(await refusalOf(placeBuy(desk, trader, ticker)), 'trading_paused');
    const listed = await desk.run('npm run ops -- list --all');
    assert.ok(listed.output.includes(waiting), 'the waiting order is listed');
    desk.say('new orders are paused by hand; those that wait are listed');

    freezeExchange(desk, 'SIGCONT');
    await desk.untilStatus('the exchange answers', ({ exchange }) => exchange.status !== 'down');
    await refundByHand(desk, refunded);
    const returned = await untilComplete(trader, refunded, 60_000);
    assert.equal(returned.terminationReason, 'refunded_by_hand');
    desk.say('what the exchange provably never had was refunded by hand');

    await controlExchange(desk.sandbox(), 'faults', { clear: true });
    await controlExchange(desk.sandbox(), 'exchange', { tradingActive: true });
    await desk.run('npm run ops -- resume --why "the exchange trades again"');
    await expectCompleted(trader, waiting);
    await expectCompleted(trader, await placeBuy(desk, trader, ticker));
    await desk.untilStatus('all is well', ({ exchange }) => exchange.status === 'ok');
    desk.say('the exchange is back: what waited was bought and delivered, new orders are taken');
  },
};

function freezeExchange(desk: Desk, signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of desk.sandbox().pids.exchange) process.kill(pid, signal);
}

/** A processor may hold the order for the moment of a look, and proof takes some seconds. */
async function refundByHand(desk: Desk, intent: string): Promise<void> {
  const command = 'npm run ops -- refund <intent> --why "the owner cannot wait"';
  const done = await pollUntil(
    async () => {
      try {
        return (await desk.run(command, { intent })).output;
      } catch (error) {
        if (/at work|cannot say yet/.test(String(error))) return undefined;
        throw error;
      }
    },
    { timeoutMs: 90_000, everyMs: 1_000 },
  );
  assert.match(done ?? '', /is being refunded/);
}
