import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import { base } from '#lib/chains.ts';
import { formatMicros, MICROS, parseMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { chainReader } from '#sandbox/testing/chainTrader.ts';
import { controlExchange } from '#sandbox/testing/exchangeControl.ts';
import { ownTestStack } from '#sandbox/testing/ownTestStack.ts';
import { startSecondProcessor } from '#sandbox/testing/runningProcessor.ts';
import {
  createTrader,
  findLiquidMarket,
  orderBody,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import { asTradeOrder, vaultOrderOf } from '#server/domain/orders/lifecycle/orderRow.ts';
import { orders } from '#server/platform/database/schema/orders.ts';

/** The vault's delivery capacity, and orders that exceed it. */

const PLENTY = 1_000_000n;
const stack = ownTestStack('room');
const { faults: chain, query } = stack;
let trader: Trader;
let ticker = '';

beforeAll(async () => {
  trader = await createTrader(stack.description());
  ticker = await findLiquidMarket(trader);
});

/** Processors decide by the last block they have read. */
async function setCaps(caps: { mint: bigint; payout: bigint }): Promise<void> {
  await chain.setHourlyCaps(caps);
  await untilRead();
}

async function untilRead(): Promise<void> {
  const head = await chainReader(stack.description()).getBlockNumber({ cacheTime: 0 });
  const isRead = async () => {
    const rows = await query(
      `select 1 from chain_cursors where name = 'contracts' and block_number >= $1`,
      [head.toString()],
    );
    return rows.length > 0 || undefined;
  };
  expect(await pollUntil(isRead)).toBe(true);
}

beforeEach(async () => {
  await setCaps({ mint: PLENTY, payout: PLENTY });
  // The deliverable amount is cached for a moment.
  const isKnown = async () => {
    const quote = await trader.api.getQuote(ticker, { side: 'yes', contracts: '1' });
    return quote.largestOrderDollars === `${PLENTY}.00` || undefined;
  };
  expect(await pollUntil(isKnown)).toBe(true);
});

/** The exchange accepts the next order without a response, and hides it until this is undone. */
async function hideNextResponse(): Promise<void> {
  await controlExchange(stack.description(), 'faults', {
    arm: [{ kind: 'order_accept_then_timeout', times: 1 }],
    readLagMs: 600_000,
  });
}

const showResponses = () => controlExchange(stack.description(), 'faults', { clear: true });

type Asked = {
  direction: 'BUY' | 'SELL';
  contracts: string;
  quoteLimit: string;
  side?: 'yes' | 'no';
};

async function place(order: Asked, market = ticker): Promise<string> {
  const body = orderBody(stack.description(), trader, { ticker: market, side: 'yes', ...order });
  return (await trader.api.createOrder(body)).intent.id;
}

/** An order that costs about its maximum. */
async function purchaseFor(dollars: bigint, market = ticker): Promise<Asked> {
  const { market: seen } = await trader.api.getMarket(market);
  // A little less than the limit buys: the fee is added, and the price may move.
  const cents = (parseMicros(seen.yesAskDollars) * 115n) / 100n / 10_000n + 1n;
  const contracts = formatMicros(((dollars * 100n) / cents) * MICROS);
  return { direction: 'BUY', contracts, quoteLimit: formatMicros(dollars * MICROS) };
}

async function readRooms(): Promise<{ mint: bigint; payout: bigint }> {
  const [mint, payout] = await chainReader(stack.description()).readContract({
    address: stack.description().contracts.swapVault,
    abi: swapVaultAbi,
    functionName: 'rooms',
  });
  return { mint, payout };
}

async function countAttempts(ids: readonly string[]): Promise<number> {
  const found = await query('select 1 from exchange_attempts where order_id = any($1)', [ids]);
  return found.length;
}

async function countFailedFills(ids: readonly string[]): Promise<number> {
  const found = await query(
    `select 1 from chain_operations where order_id = any($1) and kind = 'fill' and state = 'failed'`,
    [ids],
  );
  return found.length;
}

/** Waits until every order has ended or waits for room. */
async function untilSettled(ids: readonly string[]): Promise<void> {
  const isCalm = async () => {
    const open = await query(
      `select 1 from orders where id = any($1) and not is_complete
         and (room_requested_at is null or room_reserved_at is not null)`,
      [ids],
    );
    return open.length === 0 || undefined;
  };
  expect(await pollUntil(isCalm)).toBe(true);
}

const endsOf = (ids: readonly string[]) => Promise.all(ids.map((id) => untilComplete(trader, id)));

async function expectSound(...alertKinds: string[]): Promise<void> {
  expect(await stack.differences()).toEqual([]);
  const { alerts } = await trader.api.getStatus();
  expect(alerts.map(({ kind }) => kind)).toEqual(alertKinds);
}

test('given a cap of ten dollars with most of it used, an order for more than is left is refunded, and nothing is bought', async () => {
  await setCaps({ mint: 10n, payout: PLENTY });
  const first = await place(await purchaseFor(9n));
  expect(await untilComplete(trader, first)).toMatchObject({ status: 'completed' });
  const left = (await readRooms()).mint;
  expect(left).toBeLessThan(5n * MICROS);

  const second = await place(await purchaseFor(8n));
  expect(await untilComplete(trader, second)).toMatchObject({
    status: 'failed',
    terminationReason: 'no_delivery_room',
    returnedQuoteAmount: '8',
  });
  expect(await countAttempts([second])).toBe(0);
  await expectSound();
});

test('given a cap of ten dollars, many small orders at two processors, one of them killed: each is delivered or waits, none is bought without delivery', {
  tags: ['long'],
  timeout: 300_000,
}, async () => {
  await setCaps({ mint: 10n, payout: PLENTY });
  const second = await startSecondProcessor(stack);
  try {
    const order = await purchaseFor(1n);
    const ids = await Promise.all(Array.from({ length: 24 }, () => place(order)));
    const [pid] = stack.description().pids.processor;
    const isBegun = async () => (await countAttempts(ids)) > 0 || undefined;
    expect(await pollUntil(isBegun)).toBe(true);
    process.kill(pid ?? 0, 'SIGKILL');
    await untilSettled(ids);
    const [sum] = await query<{ usdc: string; delivered: number }>(
      `select coalesce(sum(quote_usdc_micros), 0)::text as usdc, count(*)::int as delivered
       from orders where id = any($1) and status = 'completed'`,
      [ids],
    );
    expect(sum?.delivered).toBeGreaterThan(5);
    expect(BigInt(sum?.usdc ?? '')).toBeLessThanOrEqual(11n * MICROS);
    expect(await countFailedFills(ids)).toBe(0);

    await setCaps({ mint: PLENTY, payout: PLENTY });
    for (const end of await endsOf(ids)) {
      expect(['completed', 'no_delivery_room']).toContain(end.terminationReason ?? end.status);
      if (end.status === 'failed') expect(await countAttempts([end.id])).toBe(0);
    }
    expect(await countFailedFills(ids)).toBe(0);
    await expectSound();
  } finally {
    await second.stop();
  }
});

test('places waiting orders when the cap is raised', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  await setCaps({ mint: 10n, payout: PLENTY });
  await hideNextResponse();
  let ids: string[] = [];
  try {
    const order = await purchaseFor(6n);
    const first = await place(order);
    const isAsked = async () => (await countAttempts([first])) > 0 || undefined;
    expect(await pollUntil(isAsked)).toBe(true);
    const second = await place(order);
    ids = [first, second];
    const waits = async () => {
      const found = await query(
        'select 1 from orders where id = $1 and room_requested_at is not null and room_reserved_at is null',
        [second],
      );
      return found.length > 0 || undefined;
    };
    expect(await pollUntil(waits)).toBe(true);
    expect(await countAttempts([second])).toBe(0);
    await setCaps({ mint: 20n, payout: PLENTY });
  } finally {
    await showResponses();
  }
  for (const end of await endsOf(ids)) expect(end).toMatchObject({ status: 'completed' });
  await expectSound();
});

test('given a cap of ten dollars, contracts at a few cents count by their price, not by their number', {
  tags: ['long'],
}, async () => {
  const cheap = await pollUntil(async () => {
    const { markets } = await trader.api.listMarkets({ limit: 1000, status: 'open' });
    const later = Date.now() + 3_600_000;
    return markets.find(
      (one) => one.yesAsk > 0 && one.yesAsk <= 8 && Date.parse(one.expectedEndTime) > later,
    )?.ticker;
  });
  await setCaps({ mint: 10n, payout: PLENTY });
  const many = await place({ direction: 'BUY', contracts: '20', quoteLimit: '3' }, cheap ?? '');
  expect(await untilComplete(trader, many)).toMatchObject({
    status: 'completed',
    filledBaseQuantity: '20',
  });
  const other = await place(await purchaseFor(5n));
  expect(await untilComplete(trader, other)).toMatchObject({ status: 'completed' });
  await expectSound();
});

test('given a treasury that is short, sales that it cannot pay are refunded, and nothing is sold', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const { market } = await trader.api.getMarket(ticker);
  // The more valuable side: three of four sales bring more than four dollars together.
  const side = market.yesBid + market.yesAsk >= 100 ? 'yes' : 'no';
  const bought = await place({ direction: 'BUY', contracts: '12', quoteLimit: '11.9', side });
  expect(await untilComplete(trader, bought)).toMatchObject({ status: 'completed' });
  await chain.setTreasuryAllowance(4n * MICROS);
  await untilRead();
  try {
    const sale: Asked = { direction: 'SELL', contracts: '4', quoteLimit: '0.01', side };
    const ids = await Promise.all([place(sale), place(sale), place(sale)]);
    const ends = await endsOf(ids);
    expect(ends.map((end) => end.status).toSorted()).toEqual(['completed', 'failed', 'failed']);
    for (const failed of ends.filter((end) => end.status === 'failed')) {
      expect(failed).toMatchObject({
        terminationReason: 'payout_unfunded',
        returnedBaseQuantity: '4',
      });
      expect(await countAttempts([failed.id])).toBe(0);
    }
    expect(await countFailedFills(ids)).toBe(0);
  } finally {
    await chain.setTreasuryAllowance(PLENTY * MICROS);
  }
  await expectSound();
});

test('given a treasury that is short, a cap that is used up or a pause, a merge is refused with the reason', async () => {
  for (const side of ['yes', 'no'] as const) {
    const id = await place({ direction: 'BUY', contracts: '2', quoteLimit: '1.98', side });
    expect(await untilComplete(trader, id)).toMatchObject({ status: 'completed' });
  }
  const reasonOf = async () => {
    const merges = [{ marketId: ticker, quantity: '2' }];
    const body = { userAddress: trader.wallet.address, chainId: base.id, merges };
    const problem: unknown = await trader.api
      .createMergeCalldata(body)
      .catch((error: unknown) => error);
    return isApiProblem(problem) && problem.code === 'merge_not_possible'
      ? problem.detail
      : undefined;
  };
  expect(await reasonOf()).toBeUndefined();
  await chain.setTreasuryAllowance(2n * MICROS - 1n);
  try {
    expect(await reasonOf()).toBe(
      'The vault cannot pay so many pairs at once. Try fewer. Nothing was created.',
    );
  } finally {
    await chain.setTreasuryAllowance(PLENTY * MICROS);
  }
  await chain.setHourlyCaps({ mint: PLENTY, payout: 1n });
  expect(await reasonOf()).toMatch(/^The vault’s hourly cap of payouts is used up for now/);
  await chain.setHourlyCaps({ mint: PLENTY, payout: PLENTY });
  await chain.setVaultPaused(true);
  try {
    expect(await reasonOf()).toBe('The contracts are paused. Nothing was created.');
  } finally {
    await chain.setVaultPaused(false);
  }
  expect(await reasonOf()).toBeUndefined();
});

test('given an order larger than can ever be delivered, refuses it before funds move', async () => {
  await setCaps({ mint: 10n, payout: 7n });
  const refusalOf = async (order: Asked) =>
    await place(order).then(
      () => undefined,
      (error: unknown) => (isApiProblem(error) ? error : undefined),
    );
  const tooLarge = async (order: Asked) => {
    const problem = await refusalOf(order);
    return problem?.code === 'order_too_large' ? problem : undefined;
  };
  const purchase: Asked = { direction: 'BUY', contracts: '12', quoteLimit: '10.000001' };
  expect((await pollUntil(() => tooLarge(purchase)))?.detail).toContain('10 USDC');
  expect(
    (await tooLarge({ direction: 'SELL', contracts: '7.01', quoteLimit: '1' }))?.detail,
  ).toContain('7 contracts');
  const quote = await trader.api.getQuote(ticker, { side: 'yes', contracts: '1' });
  expect(quote.largestOrderDollars).toBe('10.00');
});

/** A filled order that the vault has no room to deliver. */
async function placeUndeliverable(): Promise<string> {
  const order = await purchaseFor(6n);
  await hideNextResponse();
  const id = await place(order);
  try {
    const isAsked = async () => (await countAttempts([id])) > 0 || undefined;
    expect(await pollUntil(isAsked)).toBe(true);
    await setCaps({ mint: 1n, payout: 1n });
  } finally {
    await showResponses();
  }
  return id;
}

async function expectDegradedBy(kind: string): Promise<void> {
  const degraded = async () => {
    const status = await trader.api.getStatus();
    return status.alerts.some((alert) => alert.kind === kind) ? status : undefined;
  };
  expect(await pollUntil(degraded)).toMatchObject({ status: 'degraded' });
}

test('raises an alert at once when a delivery fails, and delivers when there is room', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const id = await placeUndeliverable();
  await expectDegradedBy('delivery_failing');
  expect(await countFailedFills([id])).toBe(1);
  await setCaps({ mint: PLENTY, payout: PLENTY });
  expect(await untilComplete(trader, id)).toMatchObject({ status: 'completed' });
  await expectSound();
});

test('given a delivery that is abandoned, returns the input and trades the contracts back', {
  tags: ['long'],
  timeout: 180_000,
}, async () => {
  const id = await placeUndeliverable();
  await expectDegradedBy('delivery_failing');
  const order = await withRuntime(stack.dataDir, async ({ database: { orm } }) => {
    const [row] = await orm.select().from(orders).where(eq(orders.id, id));
    if (!row) throw new Error('the order is gone');
    return vaultOrderOf(asTradeOrder(row));
  });
  await chain.refundEarly(order);
  expect(await untilComplete(trader, id)).toMatchObject({
    status: 'failed',
    terminationReason: 'settled_too_late',
    returnedQuoteAmount: '6',
  });
  const isTradedBack = async () => {
    const found = await query(
      `select 1 from orders where id = $1 and stage = 'done' and not is_unwinding`,
      [id],
    );
    return found.length > 0 || undefined;
  };
  expect(await pollUntil(isTradedBack)).toBe(true);
  // The test refunds with an operator's key, which the service reports.
  await expectDegradedBy('key_used_elsewhere');
  await expectSound('key_used_elsewhere');
});
