import assert from 'node:assert/strict';
import { pollUntil } from '#sandbox/process/poll.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import {
  createTrader,
  findLiquidMarket,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import type { AdminConsole } from './adminConsole.ts';
import type { Drill } from './drill.ts';
import { expectCompleted, placeBuy, refusalOf, untilLive } from './orders.ts';

export const exchangeDown: Drill = {
  name: 'exchange-down',
  async play(adminConsole) {
    const trader = await createTrader(adminConsole.sandbox());
    const ticker = await findLiquidMarket(trader);
    await expectCompleted(trader, await placeBuy(adminConsole, trader, ticker));
    await waitOrCancelByAdmin(adminConsole, trader, ticker);
    await goBackByPause(adminConsole, trader, ticker);
    await adminConsole.untilStatus('all is well', ({ exchange }) => exchange.status === 'ok');
    await expectCompleted(trader, await placeBuy(adminConsole, trader, ticker));
    adminConsole.say('new orders are taken again');
  },
};

async function waitOrCancelByAdmin(
  adminConsole: AdminConsole,
  trader: Trader,
  ticker: string,
): Promise<void> {
  const [waiting, refunded] = await whileRefused(adminConsole, async (halt) => {
    const placed = await Promise.all([
      placeBuy(adminConsole, trader, ticker),
      placeBuy(adminConsole, trader, ticker),
    ]);
    await untilLive(trader, placed[0], 'executing');
    await halt();
    assert.equal(await refusalOf(placeBuy(adminConsole, trader, ticker)), 'market_not_open');
    adminConsole.say(
      'trading is halted, and the status says so; the orders under way wait, new ones are refused',
    );

    signalTo(adminConsole.sandbox().pids.exchange, 'SIGSTOP');
    await adminConsole.untilStatus(
      'the exchange is down',
      ({ exchange }) => exchange.status === 'down',
    );
    const refusal = await refusalOf(placeBuy(adminConsole, trader, ticker));
    assert.equal(refusal, 'exchange_unavailable');
    const listed = await adminConsole.run('npm run ops -- list --all');
    assert.ok(listed.output.includes(placed[0]), 'the waiting order is listed');
    signalTo(adminConsole.sandbox().pids.exchange, 'SIGCONT');
    adminConsole.say(
      'the exchange is silent: new orders are refused in time, those that wait are listed',
    );

    await adminConsole.untilStatus(
      'the exchange responds',
      ({ exchange }) => exchange.status !== 'down',
    );
    await refundOrder(adminConsole, placed[1]);
    return placed;
  });
  const returned = await untilComplete(trader, refunded);
  assert.equal(returned.terminationReason, 'refunded_by_hand');
  await expectCompleted(trader, waiting);
  adminConsole.say(
    'what the exchange provably never had was refunded by hand; the other was bought',
  );
}

async function goBackByPause(
  adminConsole: AdminConsole,
  trader: Trader,
  ticker: string,
): Promise<void> {
  signalTo(adminConsole.sandbox().pids.processor, 'SIGSTOP');
  const unsent = await placeBuy(adminConsole, trader, ticker);
  await adminConsole.run('npm run ops -- pause --why "the exchange is down"');
  signalTo(adminConsole.sandbox().pids.processor, 'SIGCONT');
  const returned = await untilComplete(trader, unsent);
  assert.equal(returned.terminationReason, 'trading_paused');
  assert.equal(returned.returnedQuoteAmount, '1.96');
  assert.equal(await refusalOf(placeBuy(adminConsole, trader, ticker)), 'trading_paused');
  adminConsole.say(
    'paused: what the exchange was not asked for goes back whole, and nothing new is taken',
  );
  await adminConsole.run('npm run ops -- resume --why "the exchange trades again"');
}

/** The exchange takes no order during this; `halt` makes it say so. */
async function whileRefused<Value>(
  adminConsole: AdminConsole,
  work: (halt: () => Promise<void>) => Promise<Value>,
): Promise<Value> {
  const sandbox = adminConsole.sandbox();
  await controlExchange(sandbox, 'faults', { arm: [{ kind: 'order_paused', times: 100_000 }] });
  const value = await work(async () => {
    await controlExchange(sandbox, 'exchange', { tradingActive: false });
    await adminConsole.untilStatus(
      'trading is halted',
      ({ exchange }) => exchange.status === 'degraded',
    );
  });
  await controlExchange(sandbox, 'faults', { clear: true });
  await controlExchange(sandbox, 'exchange', { tradingActive: true });
  return value;
}

function signalTo(pids: readonly number[], signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) process.kill(pid, signal);
}

/** A processor may hold the order during the check, and proof takes some seconds. */
async function refundOrder(adminConsole: AdminConsole, order: string): Promise<void> {
  const command = 'npm run ops -- refund <order> --why "the owner cannot wait"';
  const done = await pollUntil(
    async () => {
      try {
        return (await adminConsole.run(command, { order })).output;
      } catch (error) {
        if (/is working on this order|not certain yet/.test(String(error))) return undefined;
        throw error;
      }
    },
    { timeoutMs: 90_000, everyMs: 1_000 },
  );
  assert.match(done ?? '', /is being refunded/);
}
