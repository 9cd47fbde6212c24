import assert from 'node:assert/strict';
import { pollUntil } from '#sandbox/process/poll.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import {
  createTrader,
  findLiquidMarket,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import type { Desk } from './desk.ts';
import type { Drill } from './drill.ts';
import { expectCompleted, placeBuy, refusalOf, untilStanding } from './orders.ts';

export const exchangeDown: Drill = {
  name: 'exchange-down',
  async play(desk) {
    const trader = await createTrader(desk.sandbox());
    const ticker = await findLiquidMarket(trader);
    await expectCompleted(trader, await placeBuy(desk, trader, ticker));
    await waitOrGoBackByHand(desk, trader, ticker);
    await goBackByPause(desk, trader, ticker);
    await desk.untilStatus('all is well', ({ exchange }) => exchange.status === 'ok');
    await expectCompleted(trader, await placeBuy(desk, trader, ticker));
    desk.say('new orders are taken again');
  },
};

async function waitOrGoBackByHand(desk: Desk, trader: Trader, ticker: string): Promise<void> {
  const [waiting, refunded] = await whileHalted(desk, async () => {
    const placed = await Promise.all([
      placeBuy(desk, trader, ticker),
      placeBuy(desk, trader, ticker),
    ]);
    await untilStanding(trader, placed[0], 'executing');
    desk.say('trading is halted, and the status says so; the orders under way wait');

    signalTo(desk.sandbox().pids.exchange, 'SIGSTOP');
    await desk.untilStatus('the exchange is down', ({ exchange }) => exchange.status === 'down');
    const refusal = await refusalOf(placeBuy(desk, trader, ticker));
    assert.equal(refusal, 'exchange_unavailable');
    const listed = await desk.run('npm run ops -- list --all');
    assert.ok(listed.output.includes(placed[0]), 'the waiting order is listed');
    signalTo(desk.sandbox().pids.exchange, 'SIGCONT');
    desk.say('the exchange is silent: new orders are refused in time, those that wait are listed');

    await desk.untilStatus('the exchange answers', ({ exchange }) => exchange.status !== 'down');
    await refundOrder(desk, placed[1]);
    return placed;
  });
  const returned = await untilComplete(trader, refunded, 60_000);
  assert.equal(returned.terminationReason, 'refunded_by_hand');
  await expectCompleted(trader, waiting);
  desk.say('what the exchange provably never had was refunded by hand; the other was bought');
}

async function goBackByPause(desk: Desk, trader: Trader, ticker: string): Promise<void> {
  signalTo(desk.sandbox().pids.processor, 'SIGSTOP');
  const unsent = await placeBuy(desk, trader, ticker);
  await desk.run('npm run ops -- pause --why "the exchange is down"');
  signalTo(desk.sandbox().pids.processor, 'SIGCONT');
  const returned = await untilComplete(trader, unsent, 90_000);
  assert.equal(returned.terminationReason, 'trading_paused');
  assert.equal(returned.returnedQuoteAmount, '1.96');
  assert.equal(await refusalOf(placeBuy(desk, trader, ticker)), 'trading_paused');
  desk.say('paused: what the exchange was not asked for goes back whole, and nothing new is taken');
  await desk.run('npm run ops -- resume --why "the exchange trades again"');
}

/** The exchange has halted trading while this goes on. */
async function whileHalted<Value>(desk: Desk, work: () => Promise<Value>): Promise<Value> {
  const sandbox = desk.sandbox();
  await controlExchange(sandbox, 'faults', { arm: [{ kind: 'order_paused', times: 100_000 }] });
  await controlExchange(sandbox, 'exchange', { tradingActive: false });
  await desk.untilStatus('trading is halted', ({ exchange }) => exchange.status === 'degraded');
  const value = await work();
  await controlExchange(sandbox, 'faults', { clear: true });
  await controlExchange(sandbox, 'exchange', { tradingActive: true });
  return value;
}

function signalTo(pids: readonly number[], signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) process.kill(pid, signal);
}

/** A processor may hold the order for the moment of a look, and proof takes some seconds. */
async function refundOrder(desk: Desk, intent: string): Promise<void> {
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
