import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { minMicros } from '#lib/money.ts';
import { amendOrder } from './amend.ts';
import { ensureBook, takeOrder } from './bots.ts';
import { createClock } from './clock.ts';
import { openExchange } from './exchange.ts';
import type { Account } from './ledger.ts';
import { advanceMarkets, followSchedules } from './lifecycle.ts';
import { adoptMarket } from './listing.ts';
import { bookOf, type ExchangeMarket } from './market.ts';
import { changeGrid, changeMakers, changePaused, moveClose } from './marketControl.ts';
import { type Order, type OrderRequest, Refusal } from './order.ts';
import {
  cancelAllOrders,
  cancelOrder,
  cancelPausedOrders,
  decreaseOrder,
  expireOrders,
} from './orderEnds.ts';
import { freeCash, purseFor } from './shards.ts';
import type { Signal } from './signals.ts';
import type { Exchange } from './state.ts';
import { placeOrder } from './trading.ts';

const TICKER = 'KXPRESPARTY-28-D';
const NOW = Date.UTC(2026, 10, 21, 5);
const BALANCE_MICROS = 400_000_000n;
const contracts = (count: number) => BigInt(Math.round(count * 100)) * 10_000n;

let dataDir: string;
let exchange: Exchange;
let market: ExchangeMarket;
let one: Account;
let two: Account;
let signals: Signal[];

function open(): void {
  const keys = ['one', 'two'].map((keyId) => ({
    keyId,
    publicKeyPem: '',
    balanceMicros: BALANCE_MICROS,
  }));
  exchange = openExchange({ dataDir, seed: 1, keys, clock: createClock(0, () => NOW) });
  const found = adoptMarket(exchange, TICKER);
  const [first, second] = exchange.accounts.values();
  if (!found || !first || !second) throw new Error('the market and the accounts are there');
  market = found;
  one = first;
  two = second;
  signals = [];
  exchange.signals.listen((signal) => signals.push(signal));
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'crossbook-resting-'));
  open();
  changeMakers(exchange, market, false);
});

afterEach(() => {
  exchange.store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function place(account: Account, change: Partial<OrderRequest> = {}): Order {
  return placeOrder(exchange, account, {
    ticker: TICKER,
    clientOrderId: randomUUID(),
    side: 'bid',
    priceMicros: 400_000n,
    contractMicros: contracts(10),
    timeInForce: 'good_till_canceled',
    selfTrade: 'taker_at_cross',
    postOnly: false,
    reduceOnly: false,
    cancelOnPause: false,
    ...change,
  });
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return 'accepted';
}

/** The last message about an order. */
function lastReason({ orderId }: Order): string | undefined {
  const last = signals.findLast(
    (signal) => signal.kind === 'order' && signal.order.orderId === orderId,
  );
  return last?.kind === 'order' ? last.reason : undefined;
}

const locked = (account: Account) => purseFor(account, market).lockedMicros;

describe('collateral', () => {
  it('is reserved at the own price with the highest fee, and freed by fills and cancellations', () => {
    const before = freeCash(purseFor(one, market));
    const order = place(one, { side: 'ask', priceMicros: 700_000n });
    // Ten No at 0.30, and 7 % of 0.21 each.
    expect(locked(one)).toBe(3_000_000n + 147_000n);
    expect(freeCash(purseFor(one, market))).toBe(before - 3_147_000n);
    takeOrder(exchange, market, order, contracts(4));
    expect(locked(one)).toBe(1_800_000n + 88_200n);
    expect(freeCash(purseFor(one, market))).toBe(before - 1_200_000n - 1_888_200n);
    decreaseOrder(exchange, order, contracts(5));
    expect(locked(one)).toBe(300_000n + 14_700n);
    cancelOrder(exchange, one, order.orderId);
    expect(locked(one)).toBe(0n);
    expect(freeCash(purseFor(one, market))).toBe(before - 1_200_000n);
  });

  it('is not needed to close a position, which only one order can', () => {
    takeOrder(exchange, market, place(one), contracts(10));
    const older = place(one, { side: 'ask', priceMicros: 700_000n, contractMicros: contracts(6) });
    expect(locked(one)).toBe(0n);
    place(one, { side: 'ask', priceMicros: 800_000n, contractMicros: contracts(6) });
    // Two of its six open No at 0.20.
    expect(locked(one)).toBe(400_000n + 22_400n);
    cancelOrder(exchange, one, older.orderId);
    expect(locked(one)).toBe(0n);
  });

  it('given too little on the shard, refuses an order and an amendment', () => {
    const free = purseFor(one, market).balanceMicros;
    expect(codeOf(() => place(one, { contractMicros: contracts(300) }))).toBe(
      'insufficient_balance',
    );
    const order = place(one, { contractMicros: contracts(200) });
    const amend = (totalMicros: bigint) =>
      amendOrder(exchange, one, order, {
        priceMicros: order.priceMicros,
        totalMicros,
        newClientOrderId: undefined,
        expiresAt: undefined,
      });
    expect(codeOf(() => amend(contracts(300)))).toBe('insufficient_balance');
    expect(codeOf(() => amend(contracts(230)))).toBe('accepted');
    expect(locked(one)).toBeLessThanOrEqual(free);
  });
});

describe('an order that meets an own one', () => {
  it.each([
    ['immediate_or_cancel', 'canceled'],
    ['good_till_canceled', 'canceled'],
  ] as const)(
    'given %s and taker_at_cross, ends there with its earlier fills',
    (timeInForce, status) => {
      place(two, { side: 'ask', priceMicros: 390_000n, contractMicros: contracts(3) });
      const own = place(one, { side: 'ask', contractMicros: contracts(2) });
      place(two, { side: 'ask', contractMicros: contracts(9) });
      const order = place(one, { timeInForce });
      expect(order).toMatchObject({ status, filledMicros: contracts(3), remainingMicros: 0n });
      expect(lastReason(order)).toBe('SelfTradeCancel');
      expect(own).toMatchObject({ status: 'resting', remainingMicros: contracts(2) });
    },
  );

  it('given maker, cancels the own one and trades on', () => {
    const own = place(one, { side: 'ask', contractMicros: contracts(2) });
    place(two, { side: 'ask', contractMicros: contracts(9) });
    const order = place(one, { selfTrade: 'maker' });
    expect(order).toMatchObject({ filledMicros: contracts(9), remainingMicros: contracts(1) });
    expect(own.status).toBe('canceled');
    expect(lastReason(own)).toBe('SelfTradeCancel');
  });

  it('given fill_or_kill, counts only what trades before the own one', () => {
    place(two, { side: 'ask', priceMicros: 390_000n, contractMicros: contracts(3) });
    place(one, { side: 'ask', contractMicros: contracts(2) });
    place(two, { side: 'ask', contractMicros: contracts(9) });
    const kill = (contractMicros: bigint) =>
      codeOf(() => place(one, { timeInForce: 'fill_or_kill', contractMicros }));
    expect(kill(contracts(3.01))).toBe('fill_or_kill_insufficient_resting_volume');
    expect(kill(contracts(3))).toBe('accepted');
  });
});

describe('a post-only order', () => {
  it('given a price that would trade, ends without effect, on arrival and by an amendment', () => {
    place(two, { side: 'ask', priceMicros: 500_000n });
    const crossing = place(one, { priceMicros: 500_000n, postOnly: true });
    expect(crossing).toMatchObject({ status: 'canceled', filledMicros: 0n, remainingMicros: 0n });
    expect(lastReason(crossing)).toBe('PostOnlyCrossCancel');
    const order = place(one, { postOnly: true });
    expect(order.status).toBe('resting');
    amendOrder(exchange, one, order, {
      priceMicros: 500_000n,
      totalMicros: order.initialMicros,
      newClientOrderId: undefined,
      expiresAt: undefined,
    });
    expect(order).toMatchObject({ status: 'canceled', filledMicros: 0n });
    expect(lastReason(order)).toBe('PostOnlyCrossCancel');
    expect(locked(one)).toBe(0n);
  });
});

describe('a place in the queue', () => {
  const amend = (order: Order, change: { priceMicros?: bigint; totalMicros?: bigint }) =>
    amendOrder(exchange, one, order, {
      priceMicros: order.priceMicros,
      totalMicros: order.initialMicros,
      newClientOrderId: undefined,
      expiresAt: undefined,
      ...change,
    });

  it.each([
    ['a smaller quantity', { totalMicros: contracts(4) }, 0n],
    ['a larger quantity', { totalMicros: contracts(40) }, contracts(10)],
    ['another price', { priceMicros: 390_000n }, contracts(10)],
  ])('given %s, is %o and then %s contracts from the front', (_, change, ahead) => {
    const order = place(one);
    place(two);
    amend(order, change);
    expect(bookOf(market).aheadMicros(order.orderId)).toBe(ahead);
    expect(lastReason(order)).toBe('Amend');
  });

  it('is the same after a restart', () => {
    const first = place(one);
    const second = place(two);
    amend(first, { priceMicros: 390_000n });
    const third = place(one, { contractMicros: contracts(3) });
    exchange.store.close();
    open();
    const ahead = [first, second, third].map(({ orderId }) => bookOf(market).aheadMicros(orderId));
    expect(ahead).toEqual([contracts(13), 0n, contracts(10)]);
    expect(exchange.resting.get(first.orderId)).toMatchObject({ remainingMicros: contracts(10) });
    expect(locked(one)).toBeGreaterThan(0n);
  });
});

describe('a resting order ends', () => {
  it('when its time is over, and its cash is free', () => {
    const order = place(one, { expiresAt: NOW + 60_000 });
    expireOrders(exchange);
    expect(order.status).toBe('resting');
    exchange.clock.advance(60_000);
    expireOrders(exchange);
    expect(order.status).toBe('canceled');
    expect(lastReason(order)).toBe('ExpiryCancel');
    expect(locked(one)).toBe(0n);
  });

  it('when its market closes, also while that is deactivated', () => {
    const order = place(one);
    changePaused(exchange, market, true);
    expect(order.status).toBe('resting');
    moveClose(exchange, market, NOW);
    followSchedules(exchange);
    expect(order.status).toBe('canceled');
    expect(lastReason(order)).toBe('CloseCancel');
  });

  it('when its market is reactivated, not when it is deactivated or the exchange restarts', () => {
    const { orderId } = place(one);
    changePaused(exchange, market, true);
    exchange.store.close();
    open();
    const order = exchange.resting.get(orderId);
    if (!order) throw new Error('the order rests in the deactivated market');
    expect(codeOf(() => cancelOrder(exchange, two, orderId))).toBe('not_found');
    changePaused(exchange, market, false);
    expect(order.status).toBe('canceled');
    expect(lastReason(order)).toBe('HaltCancel');
  });

  it('when the prices of its market change', () => {
    const order = place(one);
    changeGrid(exchange, market, 'deci_cent');
    expect(lastReason(order)).toBe('HaltCancel');
  });

  it('when trading pauses, if it asked for that', () => {
    const order = place(one);
    const cautious = place(one, { cancelOnPause: true });
    exchange.tradingActive = false;
    cancelPausedOrders(exchange);
    expect([order.status, cautious.status]).toEqual(['resting', 'canceled']);
    expect(lastReason(cautious)).toBe('HaltCancel');
    expect(codeOf(() => place(one))).toBe('trading_is_paused');
    expect(codeOf(() => cancelOrder(exchange, one, order.orderId))).toBe('accepted');
  });

  it('not while the whole exchange is paused, unless the exchange cancels it', () => {
    const order = place(one);
    exchange.exchangeActive = false;
    expect(codeOf(() => cancelOrder(exchange, one, order.orderId))).toBe('exchange_is_paused');
    expect(codeOf(() => decreaseOrder(exchange, order, contracts(1)))).toBe('exchange_is_paused');
    cancelAllOrders(exchange, order.shard + 1);
    expect(order.status).toBe('resting');
    cancelAllOrders(exchange, order.shard);
    expect(order.status).toBe('canceled');
  });
});

describe('the simulated takers', () => {
  it('fill an order inside the spread in parts, within minutes', () => {
    changeMakers(exchange, market, true);
    changeGrid(exchange, market, 'deci_cent');
    const [bid] = ensureBook(exchange, market).bids;
    const priceMicros = (bid?.priceMicros ?? 0n) + 1_000n;
    const order = place(one, { priceMicros, contractMicros: contracts(100) });
    let fills = 0;
    for (let second = 0; second < 300 && order.status === 'resting'; second += 1) {
      exchange.clock.advance(1_000);
      const before = order.filledMicros;
      advanceMarkets(exchange, 100_000);
      if (order.filledMicros > before) fills += 1;
    }
    expect(order.status).toBe('executed');
    expect(fills).toBeGreaterThan(2);
  });
});

type Step =
  | { act: 'place'; by: number; side: 'bid' | 'ask'; price: number; size: number; how: number }
  | { act: 'cancel' | 'decrease' | 'amend' | 'take' | 'expire'; which: number; size: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    act: fc.constant('place' as const),
    by: fc.integer({ min: 0, max: 1 }),
    side: fc.constantFrom('bid' as const, 'ask' as const),
    price: fc.integer({ min: 30, max: 70 }),
    size: fc.integer({ min: 1, max: 3_000 }),
    how: fc.integer({ min: 0, max: 5 }),
  }),
  fc.record({
    act: fc.constantFrom('cancel', 'decrease', 'amend', 'take', 'expire'),
    which: fc.nat(),
    size: fc.integer({ min: 1, max: 3_000 }),
  }),
);

const HOW: Partial<OrderRequest>[] = [
  {},
  { timeInForce: 'immediate_or_cancel' },
  { timeInForce: 'fill_or_kill' },
  { postOnly: true },
  { selfTrade: 'maker' },
  { expiresAt: NOW + 60_000 },
];

function apply(turn: Step): void {
  if (turn.act === 'place') {
    const { by, side, price, size, how } = turn;
    const priceMicros = BigInt(price) * 10_000n;
    const terms = { side, priceMicros, contractMicros: contracts(size / 100) };
    place(by === 0 ? one : two, { ...terms, ...HOW[how] });
    return;
  }
  if (turn.act === 'expire') {
    exchange.clock.advance(20_000);
    expireOrders(exchange);
    return;
  }
  const resting = [...exchange.resting.values()];
  const order = resting[turn.which % Math.max(resting.length, 1)];
  const account = order && exchange.accounts.get(order.accountId);
  if (!order || !account) return;
  const size = contracts(turn.size / 100);
  if (turn.act === 'cancel') cancelOrder(exchange, account, order.orderId);
  else if (turn.act === 'decrease') decreaseOrder(exchange, order, size);
  else if (turn.act === 'take') {
    takeOrder(exchange, market, order, minMicros(size, order.remainingMicros));
  } else {
    amendOrder(exchange, account, order, {
      priceMicros: BigInt(30 + (turn.which % 40)) * 10_000n,
      totalMicros: size,
      newClientOrderId: undefined,
      expiresAt: undefined,
    });
  }
}

it('given any orders and changes, book, reserved cash and orders agree, and no account trades with itself', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      for (const turn of steps) {
        signals = [];
        codeOf(() => apply(turn));
        const fills = signals.flatMap((one) => (one.kind === 'fill' ? [one.fill] : []));
        const makers = fills.filter((fill) => !fill.isTaker);
        const takers = new Set(fills.filter((one) => one.isTaker).map((one) => one.accountId));
        expect(makers.some((fill) => takers.has(fill.accountId))).toBe(false);
      }
      const book = bookOf(market);
      for (const account of [one, two]) {
        const own = [...exchange.resting.values()].filter((one) => one.accountId === account.id);
        expect(locked(account)).toBe(own.reduce((sum, order) => sum + order.lockedMicros, 0n));
        for (const order of own) {
          expect(order.remainingMicros).toBeGreaterThan(0n);
          expect(order.filledMicros + order.remainingMicros).toBeLessThanOrEqual(
            order.initialMicros,
          );
          expect(book.get(order.orderId)?.remainingMicros).toBe(order.remainingMicros);
        }
      }
      expect([...book.orders()]).toHaveLength(exchange.resting.size);
      cancelAllOrders(exchange, undefined);
      expect([locked(one), locked(two)]).toEqual([0n, 0n]);
    }),
    { numRuns: 60 },
  );
});
