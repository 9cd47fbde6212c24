import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pollUntil } from '#sandbox/process/poll.ts';
import { controlExchange, readExchangeState } from '#sandbox/testing/exchangeControl.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { createTrader, orderBody, type Trader, untilComplete } from '#sandbox/testing/trader.ts';
import { CRASH_FILE } from './runner/checkpoints.ts';

/** The shard that the tests empty and pause, and one that they leave alone. */
const SHARD = 3;
const OTHER = 0;
const TRANSFER_PATH = 'intra_exchange_instance_transfer';

const stack = ownTestStack('shards');
let trader: Trader;
let ticker = '';
let otherTicker = '';

const stateSchema = z.object({
  transfers: z.number(),
  pendingTransfers: z.number(),
  accounts: z.array(
    z.object({ shards: z.array(z.object({ shard: z.number(), balanceDollars: z.string() })) }),
  ),
});

const control = (command: string, body: Record<string, unknown>) =>
  controlExchange(stack.description(), command, body);

async function readState() {
  const { accounts, ...rest } = stateSchema.parse(await readExchangeState(stack.description()));
  const dollars = new Map(
    accounts[0]?.shards.map((one) => [one.shard, Number(one.balanceDollars)]),
  );
  const total = [...dollars.values()].reduce((sum, one) => sum + one, 0);
  return { ...rest, total, on: (shard: number) => dollars.get(shard) ?? 0 };
}

beforeAll(async () => {
  trader = await createTrader(stack.description());
  ticker = await findMarketOn(SHARD);
  otherTicker = await findMarketOn(OTHER);
});

afterEach(async () => {
  await control('faults', { clear: true });
  for (const shard of [SHARD, OTHER]) {
    await control('exchange', { shard, tradingActive: true, transfersActive: true });
  }
});

/** An open market of a shard with offers on both sides. */
async function findMarketOn(shard: number): Promise<string> {
  const found = await pollUntil(
    async () => {
      const rows = await stack.query<{ ticker: string }>(
        `select ticker from markets where shard = $1 and status = 'open'
           and yes_bid_micros > 150000 and yes_ask_micros between yes_bid_micros + 1 and 850000
           and close_at > now() + interval '1 hour'
         order by volume_contract_micros desc limit 1`,
        [shard],
      );
      return rows[0]?.ticker;
    },
    { everyMs: 250 },
  );
  if (!found) throw new Error(`no market of shard ${shard} can be traded`);
  return found;
}

function buyRequest(market: string) {
  return orderBody(stack.description(), trader, {
    direction: 'BUY',
    ticker: market,
    side: 'yes',
    contracts: '3',
    quoteLimit: '2.9',
  });
}

async function buy(market: string) {
  const { intent } = await trader.api.createOrder(buyRequest(market));
  return await untilComplete(trader, intent.id);
}

/** Runs while no processor decides about transfers. */
async function withoutAllocation<Result>(work: () => Promise<Result>): Promise<Result> {
  const until = (seconds: number) =>
    stack.query(
      `update job_turns set next_at = now() + $1 * interval '1 second'
       where job = 'allocate cash'`,
      [seconds],
    );
  await until(60);
  await pollUntil(async () => (await openTransfers()) === 0 || undefined);
  const result = await work();
  await until(0);
  return result;
}

/** Moves the cash of the shard to the other one, as trading and payouts do over time. */
async function emptyShard(): Promise<void> {
  const held = (await readState()).on(SHARD);
  await control('account', { shard: OTHER, addDollars: held.toFixed(4) });
  await control('account', { shard: SHARD, balanceDollars: '0' });
}

/** An order that the exchange refuses for want of cash before any is moved. */
async function buyFromEmptyShard() {
  const { intent } = await withoutAllocation(async () => {
    await emptyShard();
    const created = await trader.api.createOrder(buyRequest(ticker));
    await untilRefused(created.intent.id);
    return created;
  });
  return await untilComplete(trader, intent.id);
}

async function untilRefused(orderId: string): Promise<void> {
  await pollUntil(async () => {
    const rows = await stack.query(
      "select 1 from exchange_attempts where order_id = $1 and code = 'insufficient_balance'",
      [orderId],
    );
    return rows.length > 0 || undefined;
  });
}

async function openTransfers(): Promise<number> {
  const rows = await stack.query<{ open: number }>(
    'select count(*)::int as open from exchange_transfers where ended_at is null',
  );
  return rows[0]?.open ?? 0;
}

/** Transfers that the service knows the exchange to have made. */
async function knownTransfers(): Promise<number> {
  const rows = await stack.query<{ known: number }>(
    'select count(*)::int as known from exchange_transfers where exchange_transfer_id is not null',
  );
  return rows[0]?.known ?? 0;
}

/** Until the shard has its share again and nothing is on its way. */
async function untilFunded(): Promise<void> {
  const done = await pollUntil(
    async () => {
      const state = await readState();
      const isFunded = state.on(SHARD) > state.total * 0.2 && state.pendingTransfers === 0;
      return (isFunded && (await openTransfers()) === 0) || undefined;
    },
    { everyMs: 250 },
  );
  expect(done, 'the shard has its share again').toBe(true);
}

async function unfundedAlerts(): Promise<string[]> {
  const rows = await stack.query<{ subject: string }>(
    "select subject from alerts where kind = 'exchange_unfunded' and resolved_at is null",
  );
  return rows.map(({ subject }) => subject);
}

describe('a shard without cash', () => {
  test('given cash on other shards, its order waits for the transfer and completes', {
    timeout: 180_000,
  }, async () => {
    const before = await readState();
    const order = await buyFromEmptyShard();
    expect(order).toMatchObject({ status: 'completed', filledBaseQuantity: '3' });
    const rows = await stack.query<{ shard: number }>(
      'select shard from exchange_attempts where order_id = $1',
      [order.id],
    );
    expect(rows.map(({ shard }) => shard)).toEqual(rows.map(() => SHARD));
    expect(await unfundedAlerts()).toEqual([]);
    await untilFunded();
    expect((await readState()).total).toBeCloseTo(before.total, -1);
  });

  test('given no cash anywhere, its order is refunded, and a fill on another shard leaves its alert', {
    timeout: 180_000,
  }, async () => {
    const { total } = await readState();
    await control('exchange', { shard: SHARD, transfersActive: false });
    await withoutAllocation(async () => void (await control('account', { balanceDollars: '0' })));
    expect(await buy(ticker)).toMatchObject({
      status: 'failed',
      terminationReason: 'exchange_unfunded',
      returnedQuoteAmount: '2.9',
    });
    expect(await unfundedAlerts()).toEqual([`shard ${SHARD}`]);
    await control('account', { shard: OTHER, balanceDollars: total.toFixed(4) });
    expect((await buy(otherTicker)).status).toBe('completed');
    expect(await unfundedAlerts()).toEqual([`shard ${SHARD}`]);
    await control('exchange', { shard: SHARD, transfersActive: true });
    await untilFunded();
    expect((await buy(ticker)).status).toBe('completed');
    expect(await unfundedAlerts()).toEqual([]);
  });
});

test('given a paused shard, quotes and orders of its markets stop, and those of others go through', async () => {
  await control('exchange', { shard: SHARD, tradingActive: false });
  const quoted = async (market: string) =>
    (await trader.api.getQuote(market, { side: 'yes', action: 'buy', contracts: '1' })).fillable;
  const stopped = await pollUntil(async () => !(await quoted(ticker)) || undefined);
  expect(stopped).toBe(true);
  expect(await quoted(otherTicker)).toBe(true);
  await expect(trader.api.createOrder(buyRequest(ticker))).rejects.toMatchObject({
    code: 'market_not_open',
  });
  expect((await buy(otherTicker)).status).toBe('completed');
  const { exchange } = await trader.api.getStatus();
  expect(exchange).toMatchObject({ status: 'degraded', tradingActive: true });
  expect(exchange.shards.filter((one) => !one.tradingActive)).toEqual([
    { shard: SHARD, name: 'Sports', tradingActive: false },
  ]);
  await control('exchange', { shard: SHARD, tradingActive: true });
  const resumed = await pollUntil(async () => (await quoted(ticker)) || undefined);
  expect(resumed).toBe(true);
  expect((await buy(ticker)).status).toBe('completed');
});

async function isMadeOnce(cause: () => Promise<void>): Promise<void> {
  const before = await readState();
  const knownBefore = await knownTransfers();
  await cause();
  await untilFunded();
  const after = await readState();
  expect(after.transfers - before.transfers).toBe(1);
  expect((await knownTransfers()) - knownBefore).toBe(1);
  expect(after.total).toBeCloseTo(before.total, 2);
}

describe('a transfer', () => {
  async function isMadeOnceAfterKill(checkpoint: string): Promise<void> {
    const crashFile = join(stack.faultDir, CRASH_FILE);
    await isMadeOnce(async () => {
      writeFileSync(crashFile, checkpoint);
      await emptyShard();
      const died = await pollUntil(() => !existsSync(crashFile) || undefined);
      expect(died, 'the processor was killed').toBe(true);
    });
  }

  async function isMadeOnceDespite(fault: { kind: string; path?: string }): Promise<void> {
    await isMadeOnce(async () => {
      await control('faults', { arm: [fault] });
      await emptyShard();
    });
  }

  test('given a response that is lost, is made exactly once', { timeout: 180_000 }, () =>
    isMadeOnceDespite({ kind: 'drop_after', path: TRANSFER_PATH }),
  );

  test('given a server error after it, is made exactly once', { timeout: 180_000 }, () =>
    isMadeOnceDespite({ kind: 'transfer_5xx_after' }),
  );

  // A kill takes the lease of its processor; what never reached the exchange, its proof of absence.
  const long = { timeout: 180_000, tags: ['long'] };

  test.each(['exchange.after_transfer', 'exchange.before_transfer', 'exchange.transfer_permitted'])(
    'given a kill at %s, is made exactly once',
    long,
    isMadeOnceAfterKill,
  );

  test.each([
    ['a request that is lost', { kind: 'drop_before', path: TRANSFER_PATH }],
    ['a server error before it', { kind: 'transfer_5xx_before' }],
  ])('given %s, is made exactly once', long, (_, fault) => isMadeOnceDespite(fault));
});
