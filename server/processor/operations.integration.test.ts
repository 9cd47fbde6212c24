import { beforeAll, expect, test } from 'vitest';
import { formatMicros, parseMicros } from '#lib/money.ts';
import { isAlive } from '#sandbox/process/liveness.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { RunningPart } from '#sandbox/process/supervised.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { controlExchange, readExchangeState } from '#sandbox/testing/exchangeControl.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { runningProcessor, startSecondProcessor } from '#sandbox/testing/runningProcessor.ts';
import {
  createTrader,
  findLiquidMarket,
  orderBody,
  readHoldings,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import { readAudit } from '#server/domain/admin/audit.ts';
import {
  liftSuspensions,
  listSuspensions,
  suspendMarket,
} from '#server/domain/admin/suspensions.ts';
import { refundOrder, retryOrder } from '#server/domain/orders/lifecycle/adminActions.ts';
import { listProblemOrders, readWholeStory } from '#server/domain/orders/lifecycle/backlog.ts';
import type { Runtime } from '#server/runtime.ts';

/** Processors that stop, freeze or hang, lost responses, and admin actions. */

const DRAIN_MS = 10_000;
const TAKE_OVER_MS = 25_000;
/** Starting a process takes a while on a busy machine. */
const RESTART_MS = 90_000;

const stack = ownTestStack('operations');
const { dataDir, differences } = stack;
let trader: Trader;
let ticker = '';

beforeAll(async () => {
  trader = await createTrader(stack.description());
  ticker = await findLiquidMarket(trader);
});

async function placeSome(
  count: number,
  order: { direction: 'BUY' | 'SELL'; quoteLimit: string } = {
    direction: 'BUY',
    quoteLimit: '0.98',
  },
): Promise<string[]> {
  const body = orderBody(stack.description(), trader, {
    ticker,
    side: 'yes',
    contracts: '1',
    ...order,
  });
  const placed = await Promise.all(
    Array.from({ length: count }, () => trader.api.createOrder(body)),
  );
  return placed.map(({ intent }) => intent.id);
}

async function expectAllCompleted(ids: string[], timeoutMs: number): Promise<void> {
  const orders = await Promise.all(ids.map((id) => untilComplete(trader, id, timeoutMs)));
  expect(orders.map((order) => order.status)).toEqual(ids.map(() => 'completed'));
}

test('given a stop signal during work, a processor exits within ten seconds and loses nothing', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const pid = await runningProcessor(stack);
  const ids = await placeSome(12);
  const askedAt = performance.now();
  process.kill(pid, 'SIGTERM');
  const gone = await pollUntil(() => !isAlive(pid) || undefined, { timeoutMs: DRAIN_MS });
  expect(gone, 'the processor was still there').toBe(true);
  expect(performance.now() - askedAt).toBeLessThan(DRAIN_MS);
  await expectAllCompleted(ids, RESTART_MS);
  expect(await differences()).toEqual([]);
});

test('given an exchange that does not respond, a processor still exits within ten seconds', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const pid = await runningProcessor(stack);
  const [exchange = 0] = stack.description().pids.exchange;
  const ids = await placeSome(3);
  process.kill(exchange, 'SIGSTOP');
  // Its step then asks the exchange for the market.
  await expect.poll(async () => (await trader.api.getOrder(ids[0] ?? '')).status).toBe('validated');
  process.kill(pid, 'SIGTERM');
  const gone = await pollUntil(() => !isAlive(pid) || undefined, { timeoutMs: DRAIN_MS });
  process.kill(exchange, 'SIGCONT');
  expect(gone, 'the processor was still there').toBe(true);
  await expectAllCompleted(ids, RESTART_MS);
  expect(await differences()).toEqual([]);
});

test('given a frozen processor, another replaces it within seconds, and its return is harmless', {
  timeout: 180_000,
}, async () => {
  const second = await startSecondProcessor(stack);
  const frozen = await runningProcessor(stack);
  try {
    const ids = await placeSome(12);
    process.kill(frozen, 'SIGSTOP');
    await expectAllCompleted(ids, TAKE_OVER_MS);
    process.kill(frozen, 'SIGCONT');
    await expectAllCompleted(await placeSome(3), 30_000);
    expect(await differences()).toEqual([]);
  } finally {
    process.kill(frozen, 'SIGCONT');
    await second.stop();
  }
});

test('given a processor frozen within a transaction, its locks delay no other', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const frozen = await runningProcessor(stack);
  let second: RunningPart | undefined;
  try {
    const ids = await withRuntime(dataDir, (runtime) => freezeWithOrderLocked(runtime, frozen));
    second = await startSecondProcessor(stack);
    await expectAllCompleted(ids, TAKE_OVER_MS);
    process.kill(frozen, 'SIGCONT');
    await expectAllCompleted(await placeSome(3), 30_000);
    expect(await differences()).toEqual([]);
  } finally {
    process.kill(frozen, 'SIGCONT');
    await second?.stop();
  }
});

/** @returns the orders placed meanwhile */
async function freezeWithOrderLocked({ database }: Runtime, pid: number): Promise<string[]> {
  const ids: string[] = [];
  const isFrozen = async () => {
    ids.push(...(await placeSome(3)));
    process.kill(pid, 'SIGSTOP');
    // Statements that it had sent before have completed by now: the rest waits for it.
    await database.pool.query('select pg_sleep(0.1)');
    const open = 'select id from orders where id = any($1) and not is_complete';
    const all = await database.pool.query(open, [ids]);
    const free = await database.pool.query(`${open} for update skip locked`, [ids]);
    if (free.rows.length < all.rows.length) return true;
    process.kill(pid, 'SIGCONT');
    return undefined;
  };
  expect(await pollUntil(isFrozen)).toBe(true);
  return ids;
}

test('given an admin, safe actions are done and audited, unsafe ones refused', {
  timeout: 180_000,
}, async () => {
  const by = { by: 'tester', reason: 'the market stays paused' };
  await controlExchange(stack.description(), 'market', { ticker, paused: true });
  const waiting = await takeWhilePaused();
  await withRuntime(dataDir, async (runtime) => {
    expect(await listProblemOrders(runtime, { all: true })).toContainEqual(
      expect.objectContaining({ id: waiting, stage: 'place' }),
    );
    await pollUntil(async () => {
      try {
        await refundOrder(runtime, { id: waiting, ...by });
        return true;
      } catch (error) {
        // A processor may hold it for the moment of a poll.
        if (/is working on/.test(String(error))) return undefined;
        throw error;
      }
    });
    expect(await untilComplete(trader, waiting)).toMatchObject({
      status: 'failed',
      terminationReason: 'refunded_by_hand',
      returnedQuoteAmount: '0.98',
    });
    expect(await readAudit(runtime, { subject: waiting, limit: 5 })).toMatchObject([
      { actor: 'tester', action: 'refund', reason: by.reason, before: { stage: 'place' } },
    ]);
    await expect(refundOrder(runtime, { id: waiting, ...by })).rejects.toThrow(/already ended/);
    await expect(retryOrder(runtime, { id: waiting, ...by })).rejects.toThrow(/already ended/);
  });
  await controlExchange(stack.description(), 'market', { ticker, paused: false });
  expect(await differences()).toEqual([]);
});

test('given an admin, refuses to refund an order that the exchange may have filled', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const by = { by: 'tester', reason: 'it takes so long' };
  await controlExchange(stack.description(), 'faults', {
    readLagMs: 20_000,
    arm: [{ kind: 'order_5xx_after', times: 1 }],
  });
  const [id = ''] = await placeSome(1);
  const pid = await runningProcessor(stack);
  await withRuntime(dataDir, async (runtime) => {
    const isUnknown = await pollUntil(async () => {
      const { attempts = [] } = await readWholeStory(runtime, id);
      return attempts.length > 0 || undefined;
    });
    expect(isUnknown).toBe(true);
    process.kill(pid, 'SIGSTOP');
    try {
      const refusal = await pollUntil(async () => {
        const error = await refundOrder(runtime, { id, ...by }).catch(String);
        return /is working on/.test(String(error)) ? undefined : String(error);
      });
      expect(refusal).toMatch(/not certain yet|knows the order|has filled/);
      expect(await readAudit(runtime, { subject: id, limit: 5 })).toEqual([]);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await controlExchange(stack.description(), 'faults', { clear: true });
    await expectAllCompleted([id], 60_000);
    await expect(refundOrder(runtime, { id, ...by })).rejects.toThrow(/already ended/);
  });
  expect(await differences()).toEqual([]);
});

test('given an admin, refunds an order only once it can no longer reach the exchange', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const by = { by: 'tester', reason: 'it takes so long' };
  const absenceMs = 16_000;
  await controlExchange(stack.description(), 'faults', {
    arm: [{ kind: 'order_5xx_before', times: 1 }],
  });
  const [id = ''] = await placeSome(1);
  const pid = await runningProcessor(stack);
  const refund = async (runtime: Runtime) => {
    const sent = await readWholeStory(runtime, id);
    const [attempt] = sent.attempts ?? [];
    if (attempt === undefined) return undefined;
    // A frozen processor can neither look the order up nor send it again.
    process.kill(pid, 'SIGSTOP');
    const storedAt = new Date(String(Reflect.get(Object(attempt), 'stored_at'))).getTime();
    const refused = await refundOrder(runtime, { id, ...by }).catch(String);
    if (typeof refused !== 'string') return { ageMs: Date.now() - storedAt };
    expect(refused).toMatch(/is working on|not certain yet/);
    return undefined;
  };
  try {
    const refunded = await withRuntime(
      dataDir,
      (runtime) => pollUntil(() => refund(runtime), { everyMs: 200 }),
      (config) => ({ ...config, exchangeTiming: { toleranceMs: 10_000, absenceMs } }),
    );
    expect(refunded?.ageMs).toBeGreaterThan(absenceMs);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  expect(await untilComplete(trader, id)).toMatchObject({
    status: 'failed',
    terminationReason: 'refunded_by_hand',
  });
  expect(await differences()).toEqual([]);
});

test('given a response that is lost, the order is delivered and bought once', async () => {
  const outcome = { ticker, side: 'yes' } as const;
  const holdings = () => readHoldings(stack.description(), trader.account, outcome);
  const before = await holdings();
  const arm = [{ kind: 'drop_after', times: 1, path: '/events/orders' }];
  await controlExchange(stack.description(), 'faults', { arm });
  const [id = ''] = await placeSome(1);
  const { status, quoteAmount } = await untilComplete(trader, id);
  expect(status).toBe('completed');
  expect(await readExchangeState(stack.description())).toMatchObject({ faults: { armed: [] } });
  expect(await holdings()).toEqual({
    contractMicros: before.contractMicros + 1_000_000n,
    usdcMicros: before.usdcMicros - parseMicros(quoteAmount ?? ''),
  });
  expect(await differences()).toEqual([]);
});

test('delivers fills from the exchange’s feed before the exchange lists them', async () => {
  await controlExchange(stack.description(), 'faults', { fillLagMs: 600_000 });
  try {
    await expectAllCompleted(await placeSome(3), 60_000);
  } finally {
    await controlExchange(stack.description(), 'faults', { clear: true });
  }
  expect(await differences()).toEqual([]);
});

test('counts locked inputs towards the account’s value until the orders end', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  await expectAllCompleted(await placeSome(1), 60_000);
  const account = () => trader.api.getAccount(trader.account);
  const { balances: before } = await account();
  expect(before.inOrders).toBe('0');
  const ids: string[] = [];
  await takeWhilePaused(async () => {
    ids.push(
      ...(await placeSome(1)),
      ...(await placeSome(1, { direction: 'SELL', quoteLimit: '0.01' })),
    );
    return ids;
  });
  const bidOf = async () => (await trader.api.getMarket(ticker)).market.yesBidDollars;
  const locked = await pollUntil(async () => {
    const [bid, { balances }] = [await bidOf(), await account()];
    const both = formatMicros(980_000n + parseMicros(bid));
    return balances.inOrders === both ? { balances, both } : undefined;
  });
  expect(parseMicros(locked?.balances.usdc ?? '')).toBe(parseMicros(before.usdc) - 980_000n);
  const last = await pollUntil(async () => {
    const { points } = await trader.api.getPortfolioHistory({ address: trader.account });
    return points.at(-1)?.inOrders === locked?.both ? points.at(-1) : undefined;
  });
  expect(last?.cash).toBe(locked?.balances.usdc);
  const parts = [last?.cash ?? '', last?.positions ?? '', last?.inOrders ?? ''];
  const sum = parts.reduce((total, part) => total + parseMicros(part), 0n);
  expect(last?.total).toBe(formatMicros(sum));
  await controlExchange(stack.description(), 'market', { ticker, paused: false });
  await expectAllCompleted(ids, 60_000);
  expect((await account()).balances.inOrders).toBe('0');
});

test('given a paused market, refunds orders that the exchange rejects at once', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  await controlExchange(stack.description(), 'faults', {
    arm: [{ kind: 'order_paused', times: 100_000 }],
  });
  const [id = ''] = await placeSome(1);
  await withRuntime(dataDir, async (runtime) => {
    const isRefused = async () => {
      const { attempts = [] } = await readWholeStory(runtime, id);
      return JSON.stringify(attempts).includes('"state":"refused"') || undefined;
    };
    expect(await pollUntil(isRefused)).toBe(true);
    await suspendMarket(runtime, { ticker, reason: 'The exchange has halted.', by: 'tester' });
    expect(await untilComplete(trader, id)).toMatchObject({
      status: 'failed',
      terminationReason: 'market_suspended',
      returnedQuoteAmount: '0.98',
    });
    const current = await listSuspensions(runtime, ticker);
    await liftSuspensions(runtime, { ids: current.map((one) => one.id), by: 'tester' });
  });
  await controlExchange(stack.description(), 'faults', { clear: true });
  expect(await differences()).toEqual([]);
});

/** An order with locked funds that waits for its market. */
async function takeWhilePaused(place = () => placeSome(1)): Promise<string> {
  await controlExchange(stack.description(), 'market', { ticker, paused: false });
  const pid = await runningProcessor(stack);
  process.kill(pid, 'SIGSTOP');
  try {
    const [id = ''] = await place();
    await controlExchange(stack.description(), 'market', { ticker, paused: true });
    return id;
  } finally {
    process.kill(pid, 'SIGCONT');
    await pollUntil(async () => {
      const open = await withRuntime(dataDir, (runtime) =>
        listProblemOrders(runtime, { all: true }),
      );
      return open.some((one) => one.stage === 'place') || undefined;
    });
  }
}
