import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { parseMicros } from '#lib/money.ts';
import { isFrozen } from '#sandbox/process/liveness.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { RunningPart } from '#sandbox/process/supervised.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { controlExchange, fillRestingOrder } from '#sandbox/testing/exchangeControl.ts';
import { ownGatedStack } from '#sandbox/testing/gatedStack.ts';
import { runningProcessor, startSecondProcessor } from '#sandbox/testing/runningProcessor.ts';
import {
  createTrader,
  findLiquidMarket,
  limitBody,
  orderBody,
  readHoldings,
  type Trader,
  untilComplete,
  untilLogged,
} from '#sandbox/testing/trader.ts';
import {
  liftSuspensions,
  listSuspensions,
  suspendMarket,
} from '#server/domain/admin/suspensions.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';
import { findLatestAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import { type Checkpoint, FREEZE_FILE } from './runner/checkpoints.ts';

/**
 * Order messages that reach the exchange late, twice or without a response. Their senders time out
 * after ten seconds. The timings are those of production.
 */

const TIMES = { tolerance: 30, absence: 45, late: 25, tooLate: 60 };
const LATE_MS = 120_000;

const TIMING = {
  EXCHANGE_SIGNATURE_TOLERANCE_SECONDS: String(TIMES.tolerance),
  EXCHANGE_ABSENCE_SECONDS: String(TIMES.absence),
};
const gated = ownGatedStack(TIMING);
const { description: sandbox, differences } = gated;
let trader: Trader;
let ticker = '';

beforeAll(async () => {
  trader = await createTrader(sandbox());
  ticker = await findLiquidMarket(trader);
});

const holdings = () => readHoldings(sandbox(), trader.account, { ticker, side: 'yes' });

async function placeOne(): Promise<string> {
  const order = {
    direction: 'BUY',
    ticker,
    side: 'yes',
    contracts: '5',
    quoteLimit: '4.9',
  } as const;
  return (await trader.api.createOrder(orderBody(sandbox(), trader, order))).intent.id;
}

/** From now on, unfilled orders are refunded instead of sent again. */
async function suspend(): Promise<void> {
  await withRuntime(gated.dataDir, (runtime) =>
    suspendMarket(runtime, { ticker, reason: 'A test holds messages back.', by: 'tester' }),
  );
}

async function lift(): Promise<void> {
  await withRuntime(gated.dataDir, async (runtime) => {
    const current = await listSuspensions(runtime, ticker);
    await liftSuspensions(runtime, { ids: current.map((one) => one.id), by: 'tester' });
  });
}

/** The account has either the tokens and the charge, or neither. */
async function expectTokensOrMoney(
  order: OrderRecordWithEvents,
  before: Awaited<ReturnType<typeof holdings>>,
): Promise<void> {
  const after = await holdings();
  const contracts = after.contractMicros - before.contractMicros;
  const paid = before.usdcMicros - after.usdcMicros;
  if (order.status === 'completed') {
    expect(contracts).toBe(5_000_000n);
    expect(paid).toBeGreaterThan(0n);
  } else {
    expect({ contracts, paid }).toEqual({ contracts: 0n, paid: 0n });
  }
}

test.each([
  { seconds: TIMES.late, ends: 'completed', status: 201 },
  { seconds: TIMES.tooLate, ends: 'failed', status: 401 },
])(
  'a message held back for $seconds s ends $ends, with tokens or money and never both',
  { tags: ['long'], timeout: 300_000 },
  async ({ seconds, ends, status }) => {
    const before = await holdings();
    const held = gated.gate().holdNextOrder(seconds * 1_000);
    const id = await placeOne();
    await held.arrived;
    await suspend();
    const [order, answered] = await Promise.all([untilComplete(trader, id), held.answered]);
    await lift();
    expect({ ends: order.status, answered }).toEqual({ ends, answered: status });
    await expectTokensOrMoney(order, before);
    expect(await differences()).toEqual([]);
  },
);

test('given a lost response, the order is delivered and bought once', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const before = await holdings();
  gated.gate().dropNextReplies(1);
  const order = await untilComplete(trader, await placeOne());
  expect(order.status).toBe('completed');
  await expectTokensOrMoney(order, before);
  expect(await differences()).toEqual([]);
});

test('given two processors, one of them sends each placement, amendment and cancellation', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  await controlExchange(sandbox(), 'market', { ticker, takers: false, priceDollars: '0.5' });
  const second = await startSecondProcessor(gated, TIMING);
  const first = await runningProcessor(gated);
  try {
    const before = await holdings();
    const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => restAt(`0.${n + 20}`)));
    await Promise.all(ids.map((id) => trader.api.amendOrder(id, { baseQuantity: '3' })));
    for (const id of ids) await untilLogged(trader, id, 'amended');
    // The second one takes over, and the first one's return changes nothing.
    process.kill(first, 'SIGSTOP');
    const fills = ids.map((id) => ({ clientOrderId: clientOrderIdOf(id, 1) }));
    await Promise.all(fills.map((order) => fillRestingOrder(sandbox(), order, '1')));
    await Promise.all(ids.map((id) => trader.api.cancelOrder(id)));
    const orders = await Promise.all(ids.map((id) => untilComplete(trader, id)));
    process.kill(first, 'SIGCONT');
    expect(await differences()).toEqual([]);
    for (const order of orders) {
      expect(order).toMatchObject({ filledBaseQuantity: '1', endReason: 'cancelled' });
    }
    for (const id of ids) {
      expect(await countMessages(id)).toEqual({ placed: 1, amended: 1, cancelled: 1 });
    }
    const after = await holdings();
    const spent = orders.reduce(
      (sum, { quoteAmount }) => sum + parseMicros(quoteAmount ?? '0'),
      0n,
    );
    expect(after.contractMicros - before.contractMicros).toBe(12_000_000n);
    expect(before.usdcMicros - after.usdcMicros).toBe(spent);
  } finally {
    process.kill(first, 'SIGCONT');
    await second.stop();
  }
});

async function restAt(price: string): Promise<string> {
  const terms = { direction: 'BUY', ticker, contracts: '4', price } as const;
  const { intent } = await trader.api.createOrder(limitBody(sandbox(), trader, terms));
  await untilLogged(trader, intent.id, 'resting');
  return intent.id;
}

/** Accepted messages about one order. */
async function countMessages(id: string) {
  const exchangeOrderId = await withRuntime(gated.dataDir, async ({ database }) => {
    const attempt = await findLatestAttempt(database.orm, id);
    return attempt?.exchangeOrderId ?? '';
  });
  const count = (method: string, path: RegExp, name: string) =>
    gated
      .gate()
      .accepted.filter(
        (one) =>
          one.method === method && path.test(one.path) && `${one.path} ${one.text}`.includes(name),
      ).length;
  return {
    placed: count('POST', /orders(\/batched)?$/, clientOrderIdOf(id, 1)),
    amended: count('POST', /\/amend$/, exchangeOrderId),
    cancelled: count('DELETE', /orders/, exchangeOrderId),
  };
}

async function freezeAt(checkpoint: Checkpoint): Promise<{ id: string; pid: number }> {
  const pid = await runningProcessor(gated);
  writeFileSync(join(gated.faultDir, FREEZE_FILE), checkpoint);
  const id = await placeOne();
  const frozen = await pollUntil(() => isFrozen(pid) || undefined);
  expect(frozen, 'the processor was not stopped').toBe(true);
  return { id, pid };
}

test.each(['exchange.before_place', 'exchange.send_permitted'] as const)(
  'given a processor frozen at %s while its order is refunded, it places nothing when it resumes',
  { tags: ['long'], timeout: 300_000 },
  async (checkpoint) => {
    const before = await holdings();
    const { id, pid } = await freezeAt(checkpoint);
    let second: RunningPart | undefined;
    try {
      second = await startSecondProcessor(gated, TIMING);
      await suspend();
      const order = await untilComplete(trader, id);
      expect(order.terminationReason).toBe('market_suspended');
      await expectTokensOrMoney(order, before);
    } finally {
      await second?.stop();
      process.kill(pid, 'SIGCONT');
    }
    await lift();
    // It finishes its interrupted work before it executes another order.
    expect((await untilComplete(trader, await placeOne())).status).toBe('completed');
    const known = await withRuntime(gated.dataDir, ({ exchange }) =>
      exchange.findOrder({
        ticker,
        clientOrderId: clientOrderIdOf(id, 1),
        sentAt: new Date(Date.now() - LATE_MS),
      }),
    );
    expect(known).toEqual({ kind: 'absent' });
    expect(await differences()).toEqual([]);
  },
);
