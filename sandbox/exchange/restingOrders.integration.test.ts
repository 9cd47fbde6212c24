import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fillRestingOrder } from '#sandbox/testing/exchangeControl.ts';
import { createKalshiExchange } from '#server/exchange/kalshi/kalshiExchange.ts';
import type { Exchange, PlaceOrderRequest } from '#server/exchange/port.ts';
import type { AmendOrderRequest, OrderChange } from '#server/exchange/restingOrders.ts';
import { createLog } from '#server/platform/log.ts';
import { startTestExchange, type TestExchange } from './testing/testExchange.ts';

/** Orders that rest, through our adapter: their fills, changes and ends, and answers that are lost. */

/** Without simulated traders: only the tests trade. */
const TICKER = 'KXPRESPARTY-28-R';
const EVENTS = '/portfolio/events/orders';

let exchange: TestExchange;
let adapter: Exchange;
const log = createLog('test', 'silent');
const stop = new AbortController();

function connect(writeMs = 1_000): Exchange {
  return createKalshiExchange({
    url: exchange.url,
    wsUrl: exchange.wsUrl,
    credentials: exchange,
    log,
    timeouts: { writeMs, readMs: 5_000 },
  });
}

beforeAll(async () => {
  exchange = await startTestExchange('ed25519');
  await exchange.control('market', { ticker: TICKER, makers: false, takers: false });
  adapter = connect();
});

afterAll(async () => {
  stop.abort();
  await exchange.remove();
});
afterEach(async () => {
  await exchange.control('faults', { clear: true });
  await exchange.control('exchange', {
    exchangeActive: true,
    tradingActive: true,
    cancelResting: true,
  });
});

const common = { ticker: TICKER, shard: 0, mayBeSent: async () => true };

function request(change: Partial<PlaceOrderRequest> = {}): PlaceOrderRequest {
  return {
    ...common,
    clientOrderId: randomUUID(),
    action: 'buy',
    side: 'yes',
    contractMicros: 10_000_000n,
    limitPriceMicros: 400_000n,
    timeInForce: 'resting',
    storedAt: new Date(),
    ...change,
  };
}

type Placed = { clientOrderId: string; exchangeOrderId: string; sentAt: Date };

async function rest(change: Partial<PlaceOrderRequest> = {}): Promise<Placed> {
  const order = request(change);
  const outcome = await adapter.placeOrder(order);
  if (outcome.kind !== 'done') throw new Error(`the order rests, but is ${outcome.kind}`);
  const { clientOrderId, storedAt: sentAt } = order;
  return { clientOrderId, exchangeOrderId: outcome.exchangeOrderId, sentAt };
}

async function read({ exchangeOrderId, sentAt }: Placed, from: Exchange = adapter) {
  const found = await from.readOrder({ ticker: TICKER, exchangeOrderId, sentAt });
  if (found.kind !== 'found') throw new Error(`the order is found, not ${found.kind}`);
  return found.order;
}

const cancel = ({ exchangeOrderId }: Placed, change: { shard?: number } = {}) =>
  adapter.cancelOrder({ ...common, exchangeOrderId, ...change });

const amend = ({ exchangeOrderId }: Placed, change: Partial<AmendOrderRequest> = {}) =>
  adapter.amendOrder({
    ...common,
    exchangeOrderId,
    action: 'buy',
    side: 'yes',
    limitPriceMicros: 400_000n,
    contractMicros: 10_000_000n,
    storedAt: new Date(),
    ...change,
  });

const decrease = ({ exchangeOrderId }: Placed, byContractMicros: bigint) =>
  adapter.decreaseOrder({ ...common, exchangeOrderId, byContractMicros, storedAt: new Date() });

const fill = ({ clientOrderId }: Pick<Placed, 'clientOrderId'>, contracts?: string) =>
  fillRestingOrder({ exchangeUrl: exchange.url }, { clientOrderId }, contracts);

async function listedFills({ exchangeOrderId, sentAt }: Placed, side: 'yes' | 'no' = 'yes') {
  return await adapter.listFills({ ticker: TICKER, exchangeOrderId, side, sentAt });
}

const arm = (kind: string, more: object = {}) =>
  exchange.control('faults', { arm: [{ kind, path: EVENTS, ...more }] });

describe('a resting order', () => {
  it.each([
    ['buy', 'yes', 400_000n, 400_000n],
    ['sell', 'yes', 600_000n, 600_000n],
    ['buy', 'no', 300_000n, 700_000n],
    ['sell', 'no', 600_000n, 400_000n],
  ] as const)('%s %s at %s fills in parts at its price', async (action, side, price, yesPrice) => {
    const order = await rest({ action, side, limitPriceMicros: price });
    await fill(order, '2.50');
    await fill(order, '0.01');
    expect(await read(order)).toMatchObject({
      filledContractMicros: 2_510_000n,
      remainingContractMicros: 7_490_000n,
      yesPriceMicros: yesPrice,
      hasEnded: false,
    });
    await fill(order);
    expect(await read(order)).toMatchObject({ hasEnded: true, endReason: 'filled' });
    const fills = await listedFills(order, side);
    expect(fills.map((one) => one.contractMicros)).toEqual([2_500_000n, 10_000n, 7_490_000n]);
    expect(fills.every((one) => one.priceMicros === price)).toBe(true);
  });

  it('trades what crosses on arrival and rests with what does not', async () => {
    await exchange.control('market', { ticker: TICKER, makers: true, priceDollars: '0.40' });
    await exchange.control('market', { ticker: TICKER, takers: false });
    const book = await adapter.getOrderBook(TICKER);
    const offered = book.noBids[0];
    const limitPriceMicros = 1_000_000n - (offered?.priceMicros ?? 0n);
    const contractMicros = (offered?.contractMicros ?? 0n) + 5_000_000n;
    const outcome = await adapter.placeOrder(request({ limitPriceMicros, contractMicros }));
    await exchange.control('market', { ticker: TICKER, makers: false });
    expect(outcome).toMatchObject({
      kind: 'done',
      filledContractMicros: offered?.contractMicros,
      restingContractMicros: 5_000_000n,
    });
  });

  it('is listed on its shard with its place in the queue, until it ends', async () => {
    const first = await rest({ contractMicros: 3_000_000n });
    const second = await rest();
    const { events } = await adapter.catalogue.listEvents({ status: 'open' });
    const coin = events.find((event) => event.category === 'Crypto')?.markets[0];
    if (!coin) throw new Error('a market of another shard is open');
    const { ticker } = coin;
    const shard = (await adapter.getMarket(ticker))?.shard;
    const other = await rest({ ticker, shard: shard ?? 0, limitPriceMicros: 10_000n });
    const listed = await adapter.listRestingOrders();
    expect(listed.map((one) => one.exchangeOrderId).sort()).toEqual(
      [first, second, other].map((one) => one.exchangeOrderId).sort(),
    );
    const queue = await adapter.listQueuePositions([TICKER, ticker]);
    expect([first, second].map((one) => queue.get(one.exchangeOrderId))).toEqual([0n, 3_000_000n]);
    expect(queue.has(other.exchangeOrderId)).toBe(true);
    await cancel(first);
    const later = await adapter.listQueuePositions([TICKER]);
    expect([...later]).toEqual([[second.exchangeOrderId, 0n]]);
    expect(await adapter.listRestingOrders()).toHaveLength(2);
  });

  it('reserves cash of its shard alone, and frees it when it ends', async () => {
    const before = await adapter.listBalances();
    const order = await rest({ contractMicros: 100_000_000n });
    const during = await adapter.listBalances();
    const differences = before.map((one, index) => {
      return one.balanceMicros - (during[index]?.balanceMicros ?? 0n);
    });
    // A hundred at 0.40, and 7 % of 0.24 each.
    expect(differences).toEqual([41_680_000n, 0n, 0n, 0n]);
    await cancel(order);
    expect(await adapter.listBalances()).toEqual(before);
  });

  it('given a time, ends then', async () => {
    const restsUntil = new Date(Date.now() + 2_000);
    const order = await rest({ restsUntil });
    expect((await read(order)).hasEnded).toBe(false);
    await expect
      .poll(async () => await read(order))
      .toMatchObject({ hasEnded: true, endReason: 'expired', filledContractMicros: 0n });
    const past = request({ restsUntil: new Date(Date.now() - 60_000) });
    expect(await adapter.placeOrder(past)).toMatchObject({ kind: 'no_fill', reason: 'refused' });
  });

  it('given an answer that is lost, is found resting and placed once', async () => {
    const order = request();
    await arm('order_accept_then_timeout');
    expect((await adapter.placeOrder(order)).kind).toBe('unknown');
    const { clientOrderId, storedAt: sentAt } = order;
    const found = await adapter.findOrder({ ticker: TICKER, clientOrderId, sentAt });
    expect(found).toMatchObject({ kind: 'found', ended: false, filledContractMicros: 0n });
    expect(await adapter.placeOrder(order)).toEqual({
      kind: 'unknown',
      code: 'order_already_exists',
    });
    expect(await adapter.listRestingOrders()).toHaveLength(1);
  });

  it('given it ended long ago, is read from the archive', async () => {
    const order = await rest();
    await fill(order, '4.00');
    await cancel(order);
    await exchange.control('archive', { ordersMs: 0 });
    await expect
      .poll(() => read(order))
      .toMatchObject({ hasEnded: true, filledContractMicros: 4_000_000n });
    await exchange.control('archive', { ordersMs: 14 * 86_400_000 });
  });

  it('given a restart of the exchange, rests with its fills and its place', async () => {
    const first = await rest({ contractMicros: 3_000_000n });
    const second = await rest();
    await fill(second, '1.25');
    await exchange.crashAndRestart();
    adapter = connect();
    expect(await read(second)).toMatchObject({
      filledContractMicros: 1_250_000n,
      remainingContractMicros: 8_750_000n,
      hasEnded: false,
    });
    const queue = await adapter.listQueuePositions([TICKER]);
    expect([first, second].map((one) => queue.get(one.exchangeOrderId))).toEqual([0n, 3_000_000n]);
    expect(await cancel(second)).toMatchObject({ cancelledContractMicros: 8_750_000n });
  });
});

describe('cancelling', () => {
  it('says what was left, and so what was filled', async () => {
    const order = await rest();
    await fill(order, '2.34');
    expect(await cancel(order)).toEqual({ kind: 'cancelled', cancelledContractMicros: 7_660_000n });
    expect(await cancel(order)).toMatchObject({ kind: 'not_resting' });
    expect(await read(order)).toMatchObject({ hasEnded: true, filledContractMicros: 2_340_000n });
  });

  it('given a fill at the same moment, its answer and the fills add up', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => rest()));
    const together = await Promise.all([
      ...orders.map((order) => cancel(order)),
      ...orders.map((order) => fill(order, '10.00').catch(() => undefined)),
    ]);
    for (const [index, order] of orders.entries()) {
      const outcome = together[index];
      const { filledContractMicros, hasEnded } = await read(order);
      expect(hasEnded).toBe(true);
      const left = outcome && outcome.kind === 'cancelled' ? outcome.cancelledContractMicros : 0n;
      expect(filledContractMicros + left).toBe(10_000_000n);
      const fills = await listedFills(order);
      expect(fills.reduce((sum, one) => sum + one.contractMicros, 0n)).toBe(filledContractMicros);
    }
  });

  it('given many at a moment, cancels each', async () => {
    const orders = await Promise.all(Array.from({ length: 45 }, () => rest()));
    const outcomes = await Promise.all(orders.map((order) => cancel(order)));
    expect(new Set(outcomes.map((one) => one.kind))).toEqual(new Set(['cancelled']));
    expect(await adapter.listRestingOrders()).toEqual([]);
  });

  it('given the wrong shard or an unknown order, finds none', async () => {
    const order = await rest();
    expect(await cancel(order, { shard: 2 })).toMatchObject({ kind: 'not_resting' });
    expect((await read(order)).hasEnded).toBe(false);
    const unknown = { ...order, exchangeOrderId: randomUUID() };
    expect(await cancel(unknown)).toMatchObject({ kind: 'not_resting' });
    const query = { ticker: TICKER, exchangeOrderId: unknown.exchangeOrderId };
    expect(await adapter.readOrder({ ...query, sentAt: new Date() })).toEqual({
      kind: 'not_yet_known',
    });
    const longAgo = new Date(Date.now() - 60_000);
    expect(await adapter.readOrder({ ...query, sentAt: longAgo })).toEqual({ kind: 'absent' });
  });

  it.each(['order_accept_then_timeout', 'order_5xx_after', 'drop_after'])(
    'given %s, is unknown and has happened',
    async (kind) => {
      const order = await rest();
      await arm(kind);
      expect((await cancel(order)).kind).toBe('unknown');
      expect(await read(order)).toMatchObject({ hasEnded: true, filledContractMicros: 0n });
      expect(await cancel(order)).toMatchObject({ kind: 'not_resting' });
    },
  );

  it.each(['order_5xx_before', 'drop_before'])(
    'given %s, is unknown and is sent again',
    async (kind) => {
      const order = await rest();
      await arm(kind);
      expect((await cancel(order)).kind).toBe('unknown');
      expect((await read(order)).hasEnded).toBe(false);
      expect((await cancel(order)).kind).toBe('cancelled');
    },
  );

  it('given rejections for too many requests, is repeated', async () => {
    const order = await rest();
    await arm('rate_limit', { times: 2 });
    expect((await cancel(order)).kind).toBe('cancelled');
  });

  it('works while trading is paused, and waits while the exchange is', async () => {
    const [one, other] = [await rest(), await rest()];
    await exchange.control('exchange', { tradingActive: false });
    expect((await cancel(one)).kind).toBe('cancelled');
    expect(await amend(other)).toMatchObject({ kind: 'wait' });
    await exchange.control('exchange', { exchangeActive: false });
    expect(await cancel(other)).toMatchObject({ kind: 'wait', code: 'exchange_is_paused' });
    expect((await read(other)).hasEnded).toBe(false);
  });
});

describe('amending', () => {
  it('sets price and whole quantity, fills included', async () => {
    const order = await rest();
    await fill(order, '4.00');
    const change = { limitPriceMicros: 350_000n, contractMicros: 12_000_000n };
    expect(await amend(order, change)).toEqual({ kind: 'amended' });
    expect(await read(order)).toMatchObject({
      filledContractMicros: 4_000_000n,
      remainingContractMicros: 8_000_000n,
      yesPriceMicros: 350_000n,
    });
  });

  it('keeps the place in the queue only when the quantity falls', async () => {
    const order = await rest();
    const behind = await rest();
    const ahead = async () => {
      const positions = await adapter.listQueuePositions([TICKER]);
      return [order, behind].map((one) => positions.get(one.exchangeOrderId));
    };
    await amend(order, { contractMicros: 8_000_000n });
    expect(await decrease(order, 2_000_000n)).toEqual({ kind: 'amended' });
    expect(await ahead()).toEqual([0n, 6_000_000n]);
    await amend(order, { contractMicros: 7_000_000n });
    expect(await ahead()).toEqual([10_000_000n, 0n]);
  });

  it('given a price that crosses, trades at once', async () => {
    const book = { ticker: TICKER, makers: true, priceDollars: '0.40' };
    await exchange.control('market', book);
    const order = await rest({ limitPriceMicros: 100_000n });
    expect(await amend(order, { limitPriceMicros: 990_000n })).toEqual({ kind: 'amended' });
    await exchange.control('market', { ticker: TICKER, makers: false });
    expect(await read(order)).toMatchObject({ endReason: 'filled' });
    expect((await listedFills(order))[0]?.priceMicros).toBeLessThan(500_000n);
  });

  it('given no more than what is filled, a bad price or too little cash, changes nothing', async () => {
    const order = await rest();
    await fill(order, '4.00');
    const before = await read(order);
    const refused = async (change: Partial<AmendOrderRequest>) => await amend(order, change);
    expect(await refused({ contractMicros: 4_000_000n })).toMatchObject({ kind: 'refused' });
    expect(await refused({ limitPriceMicros: 405_500n })).toMatchObject({
      kind: 'refused',
      reason: 'price_not_allowed',
    });
    expect(await refused({ contractMicros: 10n ** 15n })).toMatchObject({
      kind: 'our_fault',
      code: 'insufficient_balance',
    });
    expect(await decrease(order, 6_000_000n)).toMatchObject({ kind: 'refused' });
    expect(await read(order)).toEqual(before);
  });

  it('given a fill at the same moment, never fills more than the whole quantity', async () => {
    for (let round = 0; round < 10; round += 1) {
      const order = await rest();
      const change = { contractMicros: 6_000_000n, limitPriceMicros: 410_000n };
      const [outcome] = await Promise.all([
        amend(order, change),
        fill(order, round % 2 === 0 ? '6.00' : '3.00').catch(() => undefined),
      ]);
      const { filledContractMicros, remainingContractMicros } = await read(order);
      const whole = outcome.kind === 'amended' ? 6_000_000n : 10_000_000n;
      expect(filledContractMicros + remainingContractMicros).toBe(whole);
      await cancel(order);
    }
  });

  it('given an answer that is lost, reading shows whether it happened', async () => {
    const order = await rest();
    const change = { contractMicros: 6_000_000n };
    await arm('order_5xx_before');
    expect((await amend(order, change)).kind).toBe('unknown');
    expect((await read(order)).remainingContractMicros).toBe(10_000_000n);
    await arm('order_accept_then_timeout');
    expect((await amend(order, change)).kind).toBe('unknown');
    expect((await read(order)).remainingContractMicros).toBe(6_000_000n);
    // Set again, the quantity is the same.
    expect((await amend(order, change)).kind).toBe('amended');
    expect((await read(order)).remainingContractMicros).toBe(6_000_000n);
  });

  it('given a message that is too old, is refused', async () => {
    const order = await rest();
    const late = { storedAt: new Date(Date.now() - 31_000), contractMicros: 5_000_000n };
    expect(await amend(order, late)).toMatchObject({ kind: 'our_fault' });
    expect((await read(order)).remainingContractMicros).toBe(10_000_000n);
  });

  it('given an order that has ended, finds none', async () => {
    const order = await rest();
    await cancel(order);
    expect(await amend(order)).toMatchObject({ kind: 'not_resting' });
    expect(await decrease(order, 1_000_000n)).toMatchObject({ kind: 'not_resting' });
  });
});

describe('an order in the way of another of ours', () => {
  it('given a resting one, ends on arrival and leaves the other', async () => {
    const own = await rest({ action: 'sell', limitPriceMicros: 400_000n });
    expect(await adapter.placeOrder(request())).toMatchObject({
      kind: 'done',
      filledContractMicros: 0n,
      restingContractMicros: 0n,
    });
    const kill = request({ timeInForce: 'fill_or_kill', contractMicros: 1_000_000n });
    expect(await adapter.placeOrder(kill)).toMatchObject({
      kind: 'no_fill',
      reason: 'not_filled_whole',
    });
    expect((await read(own)).remainingContractMicros).toBe(10_000_000n);
  });

  it('given an amendment into it, ends', async () => {
    const own = await rest({ action: 'sell', limitPriceMicros: 600_000n });
    const order = await rest();
    expect(await amend(order, { limitPriceMicros: 600_000n })).toEqual({ kind: 'amended' });
    expect(await read(order)).toMatchObject({ hasEnded: true, filledContractMicros: 0n });
    expect((await read(own)).hasEnded).toBe(false);
  });

  it('given a post-only one, reports that it would have traded', async () => {
    await rest({ action: 'sell', limitPriceMicros: 400_000n });
    const crossed = { kind: 'no_fill', reason: 'post_only_would_cross' };
    expect(await adapter.placeOrder(request({ isPostOnly: true }))).toMatchObject(crossed);
    await exchange.control('faults', { arm: [{ kind: 'post_only_refused' }] });
    expect(await adapter.placeOrder(request({ isPostOnly: true }))).toMatchObject(crossed);
    const beside = request({ isPostOnly: true, limitPriceMicros: 390_000n });
    expect(await adapter.placeOrder(beside)).toMatchObject({ restingContractMicros: 10_000_000n });
  });
});

describe('the feed of our own orders', () => {
  it('announces each change, and why an order ended', async () => {
    const listener = connect();
    const changes: OrderChange[] = [];
    let gaps = 0;
    listener.onOrderChange({
      onChange: (change) => changes.push(change),
      onGap: () => {
        gaps += 1;
      },
      signal: stop.signal,
    });
    listener.subscribeFills(stop.signal);
    // Subscribed once it hears of an order.
    await expect
      .poll(async () => {
        await cancel(await rest());
        return changes.length;
      })
      .toBeGreaterThan(0);
    expect(gaps).toBe(1);

    const announced = async (order: Placed, count: number) => {
      const ofOrder = () => changes.filter((one) => one.exchangeOrderId === order.exchangeOrderId);
      await expect.poll(() => ofOrder().length).toBeGreaterThanOrEqual(count);
      const { clientOrderId, exchangeOrderId } = order;
      expect(ofOrder()[0]).toEqual({ clientOrderId, exchangeOrderId, ticker: TICKER });
    };
    const filled = await rest();
    await fill(filled, '1.00');
    // Its arrival, its fill, its new state.
    await announced(filled, 3);
    await fill(filled);
    await announced(filled, 5);
    expect(await read(filled, listener)).toMatchObject({ endReason: 'filled' });

    const expiring = await rest({ restsUntil: new Date(Date.now() + 1_500) });
    await announced(expiring, 2);
    expect(await read(expiring, listener)).toMatchObject({ endReason: 'expired' });

    await rest({ action: 'sell', limitPriceMicros: 600_000n });
    const stopped = await rest({ limitPriceMicros: 600_000n });
    await announced(stopped, 1);
    expect(await read(stopped, listener)).toMatchObject({ endReason: 'self_trade' });

    const halted = await rest();
    await exchange.control('market', { ticker: TICKER, paused: true });
    expect((await read(halted, listener)).hasEnded).toBe(false);
    await exchange.control('market', { ticker: TICKER, paused: false });
    await announced(halted, 2);
    expect(await read(halted, listener)).toMatchObject({ endReason: 'halted' });
  });

  it('given a lost message, the order itself shows what happened', async () => {
    const order = await rest();
    await exchange.control('faults', { socketDropOwn: 100 });
    await fill(order, '3.00');
    const listed = await adapter.listRestingOrders();
    expect(listed).toMatchObject([{ filledContractMicros: 3_000_000n }]);
    await fill(order);
    expect(await adapter.listRestingOrders()).toEqual([]);
    expect(await read(order)).toMatchObject({ endReason: 'filled' });
  });
});

describe('an exchange that misbehaves at random', () => {
  it('leaves every order explained in the end: its fills, its rest, and the position', async () => {
    const held = async () => {
      const positions = await adapter.listPositions();
      return positions.find((one) => one.ticker === TICKER)?.netContractMicros ?? 0n;
    };
    const before = await held();
    // A busy machine must not look like an unresponsive exchange.
    const patient = connect(3_000);
    await exchange.control('misbehave', { seed: 11, rate: 0.3, spellMs: 400, tickers: [] });
    const sent: PlaceOrderRequest[] = [];
    for (let turn = 0; turn < 25; turn += 1) {
      const order = request();
      sent.push(order);
      const outcome = await patient.placeOrder(order);
      await fill(order, turn % 3 === 0 ? '10.00' : '2.50').catch(() => undefined);
      if (outcome.kind !== 'done') continue;
      const change = { ...common, exchangeOrderId: outcome.exchangeOrderId };
      const terms = { action: 'buy', side: 'yes', limitPriceMicros: 390_000n } as const;
      const contractMicros = 8_000_000n;
      await patient.amendOrder({ ...change, ...terms, contractMicros, storedAt: new Date() });
      await patient.cancelOrder(change);
    }
    await exchange.control('misbehave', { rate: 0 });

    for (const { exchangeOrderId } of await adapter.listRestingOrders()) {
      const outcome = await adapter.cancelOrder({ ...common, exchangeOrderId });
      expect(outcome.kind).toBe('cancelled');
    }
    let filled = 0n;
    for (const { clientOrderId, storedAt: sentAt } of sent) {
      const found = await adapter.findOrder({ ticker: TICKER, clientOrderId, sentAt });
      if (found.kind !== 'found') continue;
      const order = { clientOrderId, exchangeOrderId: found.exchangeOrderId, sentAt };
      expect(await read(order)).toMatchObject({
        hasEnded: true,
        filledContractMicros: found.filledContractMicros,
      });
      const fills = await listedFills(order);
      const sum = fills.reduce((total, one) => total + one.contractMicros, 0n);
      expect(sum).toBe(found.filledContractMicros);
      filled += sum;
    }
    expect(filled).toBeGreaterThan(0n);
    expect((await held()) - before).toBe(filled);
  });
});

describe('the end of a market', () => {
  it('cancels what rests, and refuses every change', async () => {
    const order = await rest();
    await fill(order, '1.00');
    await exchange.control('market', { ticker: TICKER, close: true });
    expect(await read(order)).toMatchObject({ hasEnded: true, filledContractMicros: 1_000_000n });
    expect(await cancel(order)).toMatchObject({ kind: 'not_resting' });
    expect(await amend(order)).toMatchObject({ kind: 'not_resting' });
    expect(await adapter.placeOrder(request())).toMatchObject({ reason: 'market_closed' });
    await exchange.control('market', { ticker: TICKER, reopenMs: 600_000 });
    expect(await adapter.listRestingOrders()).toEqual([]);
  });
});
