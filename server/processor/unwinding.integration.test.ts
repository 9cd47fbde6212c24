import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { ownFaultyStack } from '#sandbox/testing/faultyStack.ts';
import { runningProcessor } from '#sandbox/testing/runningProcessor.ts';
import { shardOf } from '#sandbox/testing/shards.ts';
import {
  createTrader,
  orderBody,
  readHoldings,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import { buyOn, takeMarket } from '#sandbox/testing/trades.ts';
import { listAlerts } from '#server/domain/admin/alerts.ts';
import { readAudit } from '#server/domain/admin/audit.ts';
import { refundOrder } from '#server/domain/orders/lifecycle/adminActions.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';
import type { Runtime } from '#server/runtime.ts';
import { CRASH_FILE } from './runner/checkpoints.ts';

/** Orders that the exchange fills after their refund, despite its promise about signatures. */

/** Checkpoints of trading back; the short run takes those around the exchange. */
const GAPS = [
  'order.claimed',
  'order.transition_applied#1',
  'order.transition_applied#2',
  'exchange.before_place',
  'exchange.send_permitted',
  'exchange.after_place',
  'order.transition_applied#3',
  'exchange.fills_read#2',
  'order.transition_applied#4',
  'order.transition_applied#5',
];

const troubled = ownFaultyStack('unwinding');
const { description: sandbox, differences } = troubled;
let trader: Trader;

beforeAll(async () => {
  trader = await createTrader(sandbox());
});

const work = <Value>(run: (runtime: Runtime) => Promise<Value>) =>
  withRuntime(troubled.dataDir, run);
const holdingsIn = (ticker: string) =>
  readHoldings(sandbox(), trader.account, { ticker, side: 'yes' });

type Order = { direction: 'BUY' | 'SELL'; quoteLimit: string };

/** An order whose market was paused before it was sent to the exchange. */
async function placeAndPause(ticker: string, order: Order): Promise<string> {
  const body = orderBody(sandbox(), trader, { ticker, side: 'yes', contracts: '5', ...order });
  const processor = await runningProcessor(troubled);
  process.kill(processor, 'SIGSTOP');
  const { id } = (await trader.api.createOrder(body)).intent;
  await controlExchange(sandbox(), 'market', { ticker, paused: true });
  process.kill(processor, 'SIGCONT');
  return id;
}

async function refund(id: string): Promise<void> {
  await work(async (runtime) => {
    const isRefunded = await pollUntil(async () => {
      try {
        await refundOrder(runtime, { id, by: 'tester', reason: 'the market stays paused' });
        return true;
      } catch (error) {
        if (/is working on this order|only an order waiting/.test(String(error))) return undefined;
        throw error;
      }
    });
    expect(isRefunded).toBe(true);
  });
}

/** An order that was refunded before it was sent to the exchange. */
async function refunded(ticker: string, order: Order): Promise<string> {
  const id = await placeAndPause(ticker, order);
  await refund(id);
  expect(await untilComplete(trader, id)).toMatchObject({ status: 'failed' });
  await controlExchange(sandbox(), 'market', { ticker, paused: false });
  return id;
}

/**
 * The unexpected message, as it would have been sent. The processor's next comparison waits, so that
 * the test sees the difference first.
 */
async function fillLate(id: string, ticker: string, action: 'buy' | 'sell'): Promise<void> {
  await troubled.query(
    `update job_turns set next_at = now() + interval '10 seconds' where job = 'compare books'`,
  );
  const outcome = await work(async ({ exchange }) =>
    exchange.placeOrder({
      clientOrderId: clientOrderIdOf(id, 1),
      ticker,
      shard: await shardOf(exchange, ticker),
      action,
      side: 'yes',
      contractMicros: 5_000_000n,
      limitPriceMicros: action === 'buy' ? 990_000n : 10_000n,
      storedAt: new Date(),
      mayBeSent: async () => true,
    }),
  );
  expect(outcome).toMatchObject({ kind: 'done', filledContractMicros: 5_000_000n });
}

async function untilUnwound(id: string, timeoutMs?: number): Promise<void> {
  const isUnwound = await pollUntil(
    async () => {
      const [row] = await troubled.query<{ stage: string; is_unwinding: boolean }>(
        'select stage, is_unwinding from orders where id = $1',
        [id],
      );
      return (row?.stage === 'done' && !row.is_unwinding) || undefined;
    },
    { timeoutMs, everyMs: 100 },
  );
  expect(isUnwound, 'it was not unwound').toBe(true);
}

const alertOf = (id: string) =>
  work(async (runtime) => {
    const open = await listAlerts(runtime, { kind: 'order_unwinding', limit: 100 });
    return open.find((alert) => alert.subject === id);
  });

/** Every posting of an order balances, and as much was traded back as was found. */
async function expectUnwoundInBooks(id: string, ticker: string): Promise<void> {
  const fills = await troubled.query(
    `select a.purpose, sum(f.contract_micros)::text as contracts from exchange_fills f
     join exchange_attempts a using (client_order_id) where f.order_id = $1 group by 1 order by 1`,
    [id],
  );
  expect(fills).toEqual([
    { purpose: 'found', contracts: '5000000' },
    { purpose: 'unwind', contracts: '5000000' },
  ]);
  const held = await troubled.query<{ contracts: string }>(
    `select coalesce(sum(amount_micros), 0)::text as contracts from ledger_entries
     where order_id = $1 and account = 'treasury' and asset = $2`,
    [id, `token:${ticker}:yes`],
  );
  expect(held).toEqual([{ contracts: '0' }]);
}

test.each([
  { direction: 'BUY', quoteLimit: '4.9', action: 'buy' },
  { direction: 'SELL', quoteLimit: '0.1', action: 'sell' },
] as const)(
  'given a $direction that is filled after its refund, the house trades it back and the owner keeps the refund',
  {
    timeout: 300_000,
  },
  async ({ action, ...order }) => {
    const ticker = await takeMarket(trader);
    await buyOn(sandbox())(trader, ticker, 'yes', '10');
    const before = await holdingsIn(ticker);
    const id = await refunded(ticker, order);
    expect(await holdingsIn(ticker)).toEqual(before);
    expect(await differences()).toEqual([]);
    const log = (await trader.api.getOrder(id)).events;

    await fillLate(id, ticker, action);
    const found = await differences();
    expect(found).toContainEqual(
      expect.objectContaining({
        kind: 'exchange_order',
        subject: clientOrderIdOf(id, 1),
        orderIds: [id],
        tickers: [ticker],
        expectedMicros: 0n,
        actualMicros: 5_000_000n,
      }),
    );
    await untilUnwound(id);
    expect(await differences()).toEqual([]);
    await expectUnwoundInBooks(id, ticker);
    expect(await alertOf(id)).toBeUndefined();
    const audit = await work((runtime) => readAudit(runtime, { subject: id, limit: 10 }));
    expect(audit.map((entry) => entry.action)).toEqual(
      expect.arrayContaining(['unwind_found', 'unwind_booked', 'unwind_traded', 'unwind_ended']),
    );
    // For its owner nothing has changed since the refund.
    const seen = await trader.api.getOrder(id);
    expect(seen).toMatchObject({ status: 'failed', terminationReason: 'refunded_by_hand' });
    expect(seen.events).toEqual(log);
    expect(await holdingsIn(ticker)).toEqual(before);
  },
);

test('given an unsent refund, a late fill is delivered', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const { ticker } = troubled;
  const before = await holdingsIn(ticker);
  const id = await placeAndPause(ticker, { direction: 'BUY', quoteLimit: '4.9' });
  const stageOf = async () =>
    (await troubled.query<{ stage: string }>('select stage from orders where id = $1', [id]))[0]
      ?.stage;
  await expect.poll(stageOf).toBe('place');
  const processor = await runningProcessor(troubled);
  process.kill(processor, 'SIGSTOP');
  try {
    await refund(id);
    expect(await stageOf()).toBe('refund');
    await controlExchange(sandbox(), 'market', { ticker, paused: false });
    await fillLate(id, ticker, 'buy');
    const found = await differences();
    expect(found.map(({ kind, orderIds }) => [kind, orderIds])).toContainEqual([
      'exchange_order',
      [id],
    ]);
  } finally {
    process.kill(processor, 'SIGCONT');
  }
  const order = await untilComplete(trader, id);
  expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '5' });
  const after = await holdingsIn(ticker);
  expect(after.contractMicros - before.contractMicros).toBe(5_000_000n);
  expect(before.usdcMicros - after.usdcMicros).toBe(parseMicros(order.quoteAmount ?? ''));
  expect(await differences()).toEqual([]);
});

for (const gap of GAPS) {
  test(`killed at ${gap}, it is traded back once, as if undisturbed`, {
    tags: ['long'],
    timeout: 180_000,
  }, async () => {
    const ticker = troubled.ticker;
    const id = await refunded(ticker, { direction: 'BUY', quoteLimit: '4.9' });
    await fillLate(id, ticker, 'buy');
    const crashFile = join(troubled.faultDir, CRASH_FILE);
    writeFileSync(crashFile, gap);
    await differences();
    await untilUnwound(id);
    expect(existsSync(crashFile), 'the processor was not killed').toBe(false);
    await expectUnwoundInBooks(id, ticker);
    expect(await alertOf(id)).toBeUndefined();
    expect(await differences()).toEqual([]);
  });
}

test('given no buyers, contracts stay the house’s under an alert, and the settlement pays for them', {
  tags: ['long'],
  timeout: 300_000,
}, async () => {
  const ticker = await takeMarket(trader);
  const id = await refunded(ticker, { direction: 'BUY', quoteLimit: '4.9' });
  await fillLate(id, ticker, 'buy');
  await controlExchange(sandbox(), 'market', { ticker, makers: false });
  await differences();
  const alert = await pollUntil(
    async () => {
      const open = await alertOf(id);
      return open?.internalDetail?.includes('no match at') ? open : undefined;
    },
    { everyMs: 250 },
  );
  expect(alert?.internalDetail).toContain(`5 yes contracts of ${ticker}`);
  expect(await differences()).toEqual([]);
  await controlExchange(sandbox(), 'settle', { ticker, result: 'yes' });
  await untilUnwound(id);
  expect(await alertOf(id)).toBeUndefined();
  const paid = await pollUntil(
    async () => {
      const [row] = await troubled.query<{ usdc: string }>(
        `select sum(e.amount_micros)::text as usdc from ledger_entries e
         join market_settlements s on s.id = e.order_id
         where s.ticker = $1 and e.posting = 'exchange_settlement' and e.account = 'treasury'
           and e.asset = 'usdc'`,
        [ticker],
      );
      return row?.usdc ?? undefined;
    },
    { everyMs: 250 },
  );
  expect(paid).toBe(parseMicros('5').toString());
  expect(await differences()).toEqual([]);
});
