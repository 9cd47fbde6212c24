import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shardOf } from '#sandbox/testing/shards.ts';
import type { Exchange, PlaceOrderRequest } from '#server/exchange/port.ts';
import {
  arm,
  behave,
  connectTo,
  heldMicros,
  placeRequest,
  startWithAdapter,
} from './testing/adapter.ts';
import { BUSY_TICKER, type TestExchange } from './testing/testExchange.ts';

/** Our adapter places orders: every response of the exchange is interpreted correctly. */
let exchange: TestExchange;
let adapter: Exchange;

beforeAll(async () => {
  ({ exchange, adapter } = await startWithAdapter());
});
afterAll(() => exchange.remove());
afterEach(() => behave(exchange));

describe('placing orders', () => {
  it.each([
    ['buy', 'yes', 1n],
    ['sell', 'yes', -1n],
    ['buy', 'no', -1n],
    ['sell', 'no', 1n],
  ] as const)('%s %s fills and moves the net position by %s', async (action, side, sign) => {
    const before = await heldMicros(adapter);
    const sentAt = new Date();
    const limitPriceMicros = action === 'buy' ? 990_000n : 10_000n;
    const outcome = await adapter.placeOrder(placeRequest({ action, side, limitPriceMicros }));
    expect(outcome).toMatchObject({ kind: 'done', filledContractMicros: 3_000_000n });
    const exchangeOrderId = outcome.kind === 'done' ? outcome.exchangeOrderId : '';
    const fills = await adapter.listFills({ ticker: BUSY_TICKER, exchangeOrderId, side, sentAt });
    expect(fills.reduce((sum, fill) => sum + fill.contractMicros, 0n)).toBe(3_000_000n);
    expect(await heldMicros(adapter)).toBe(before + sign * 3_000_000n);
  });

  it('given no resting orders at the price, completes with nothing', async () => {
    const outcome = await adapter.placeOrder(placeRequest({ limitPriceMicros: 10_000n }));
    expect(outcome).toMatchObject({ kind: 'done', filledContractMicros: 0n });
    await arm(exchange, 'ioc_as_409');
    const refused = await adapter.placeOrder(placeRequest({ limitPriceMicros: 10_000n }));
    expect(refused).toMatchObject({ kind: 'no_fill', reason: 'nothing_at_price' });
  });

  it.each([
    ['order_accept_then_timeout', true],
    ['order_5xx_after', true],
    ['drop_after', true],
    ['order_5xx_before', false],
    ['drop_before', false],
  ])('given %s, reports an unknown outcome and then resolves it', async (kind, wasPlaced) => {
    const before = await heldMicros(adapter);
    const sentAt = new Date();
    const order = placeRequest();
    await arm(exchange, kind, { path: '/portfolio/events/orders' });
    expect((await adapter.placeOrder(order)).kind).toBe('unknown');
    const query = { ticker: order.ticker, clientOrderId: order.clientOrderId };
    if (wasPlaced) {
      const found = await adapter.findOrder({ ...query, sentAt });
      expect(found).toMatchObject({ kind: 'found', filledContractMicros: 3_000_000n });
      expect((await adapter.placeOrder(order)).kind).toBe('unknown');
    } else {
      expect(await adapter.findOrder({ ...query, sentAt })).toEqual({ kind: 'not_yet_known' });
      const longAgo = new Date(Date.now() - 60_000);
      expect(await adapter.findOrder({ ...query, sentAt: longAgo })).toEqual({ kind: 'absent' });
    }
    expect(await heldMicros(adapter)).toBe(wasPlaced ? before + 3_000_000n : before);
  });

  it('given lagging reads, does not treat an order as absent', async () => {
    await exchange.control('faults', { readLagMs: 600_000 });
    const sentAt = new Date(Date.now() - 60_000);
    const query = { ticker: BUSY_TICKER, clientOrderId: randomUUID(), sentAt };
    expect(await adapter.findOrder(query)).toEqual({ kind: 'not_yet_known' });
  });

  it('given late and doubled fills, returns each once and in order', async () => {
    const sentAt = new Date();
    const outcome = await adapter.placeOrder(placeRequest({ contractMicros: 20_000_000_000n }));
    if (outcome.kind !== 'done') throw new Error(`unexpected ${outcome.kind}`);
    const { exchangeOrderId, filledContractMicros } = outcome;
    const read = () =>
      adapter.listFills({ ticker: BUSY_TICKER, exchangeOrderId, side: 'yes', sentAt });
    await exchange.control('faults', { readLagMs: 600_000 });
    expect(await read()).toEqual([]);
    await exchange.control('faults', { clear: true });
    await arm(exchange, 'duplicate_fills');
    await arm(exchange, 'shuffled_pages');
    const fills = await read();
    expect(fills.length).toBeGreaterThan(1);
    expect(fills.reduce((sum, fill) => sum + fill.contractMicros, 0n)).toBe(filledContractMicros);
    const times = fills.map((fill) => fill.at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('given a trading or exchange pause, waits', async () => {
    await exchange.control('exchange', { tradingActive: false });
    expect(await adapter.placeOrder(placeRequest())).toMatchObject({ kind: 'wait', spent: false });
    expect(await adapter.getStatus()).toMatchObject({ exchangeActive: true, tradingActive: false });
    await exchange.control('exchange', { exchangeActive: false });
    const order = placeRequest();
    expect(await adapter.placeOrder(order)).toMatchObject({ kind: 'wait', spent: false });
    await exchange.control('exchange', { exchangeActive: true, tradingActive: true });
    // The client order id may be used again: the exchange accepted nothing under it.
    expect((await adapter.placeOrder(order)).kind).toBe('done');
  });

  it('given a rate limit without a hint, waits', async () => {
    await arm(exchange, 'rate_limit', { path: '/portfolio/events/orders' });
    expect(await adapter.placeOrder(placeRequest())).toMatchObject({ kind: 'wait', spent: false });
  });

  it('given a lack of cash or a wrong clock, reports our own fault', async () => {
    await arm(exchange, 'insufficient_balance');
    expect(await adapter.placeOrder(placeRequest())).toMatchObject({
      kind: 'our_fault',
      code: 'insufficient_balance',
    });
    await exchange.control('faults', { clockSkewMs: 120_000 });
    expect((await adapter.placeOrder(placeRequest())).kind).toBe('our_fault');
  });

  it('rejects prices off the grid and unknown markets', async () => {
    const offGrid = await adapter.placeOrder(placeRequest({ limitPriceMicros: 555_500n }));
    expect(offGrid).toMatchObject({ kind: 'no_fill', reason: 'price_not_allowed' });
    const nowhere = await adapter.placeOrder(placeRequest({ ticker: 'KXNO-SUCH' }));
    expect(nowhere).toMatchObject({ kind: 'no_fill', reason: 'market_not_found' });
  });

  it('handles flat errors, pages that are not JSON, and transient rejections', async () => {
    await arm(exchange, 'flat_errors');
    const flat = await adapter.placeOrder(placeRequest({ limitPriceMicros: 555_500n }));
    expect(flat).toMatchObject({ kind: 'no_fill', code: 'invalid_price' });
    await arm(exchange, 'html_answer', { path: '/portfolio/balance' });
    await arm(exchange, 'rate_limit', { path: '/portfolio/balance' });
    expect(await adapter.getBalanceMicros()).toBeGreaterThan(0n);
    await arm(exchange, 'html_answer', { path: '/portfolio/events/orders' });
    expect((await adapter.placeOrder(placeRequest())).kind).toBe('unknown');
  });
});

describe('placing several orders at a time', () => {
  const placeAll = (orders: PlaceOrderRequest[]) =>
    Promise.all(orders.map((order) => adapter.placeOrder(order)));

  it('resolves each on its own, and moves the position by the fills', async () => {
    const before = await heldMicros(adapter);
    const orders = [
      placeRequest(),
      placeRequest({ limitPriceMicros: 10_000n }),
      placeRequest({ limitPriceMicros: 555_500n }),
      placeRequest({ ticker: 'KXNO-SUCH' }),
      placeRequest({ action: 'sell', limitPriceMicros: 10_000n, contractMicros: 1_000_000n }),
    ];
    expect(await placeAll(orders)).toMatchObject([
      { kind: 'done', filledContractMicros: 3_000_000n },
      { kind: 'done', filledContractMicros: 0n },
      { kind: 'no_fill', reason: 'price_not_allowed' },
      { kind: 'no_fill', reason: 'market_not_found' },
      { kind: 'done', filledContractMicros: 1_000_000n },
    ]);
    expect((await heldMicros(adapter)) - before).toBe(2_000_000n);
  });

  it('given one that cannot be paid, rejects only that one', async () => {
    await arm(exchange, 'insufficient_balance');
    const outcomes = await placeAll([placeRequest(), placeRequest(), placeRequest()]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['our_fault', 'done', 'done']);
  });

  it('given one with an old stored time, rejects it and sends the others', async () => {
    const before = await heldMicros(adapter);
    const storedAt = new Date(Date.now() - 31_000);
    expect(
      await placeAll([placeRequest(), placeRequest({ storedAt }), placeRequest()]),
    ).toMatchObject([
      { kind: 'done' },
      { kind: 'our_fault', code: 'header_timestamp_expired' },
      { kind: 'done' },
    ]);
    expect((await heldMicros(adapter)) - before).toBe(6_000_000n);
  });

  it.each([
    ['order_accept_then_timeout', true],
    ['order_5xx_before', false],
  ])('given %s, reports unknown outcomes and then resolves them', async (kind, werePlaced) => {
    const before = await heldMicros(adapter);
    const sentAt = new Date();
    const orders = [placeRequest(), placeRequest()];
    await arm(exchange, kind, { path: '/portfolio/events/orders' });
    expect((await placeAll(orders)).map((one) => one.kind)).toEqual(['unknown', 'unknown']);
    for (const { ticker, clientOrderId } of orders) {
      const found = await adapter.findOrder({ ticker, clientOrderId, sentAt });
      expect(found.kind).toBe(werePlaced ? 'found' : 'not_yet_known');
    }
    expect((await heldMicros(adapter)) - before).toBe(werePlaced ? 6_000_000n : 0n);
    // Sent again under the same ids, each is accepted at most once.
    const again = await placeAll(orders);
    expect(again.map((one) => one.kind)).toEqual(
      werePlaced ? ['unknown', 'unknown'] : ['done', 'done'],
    );
    expect((await heldMicros(adapter)) - before).toBe(6_000_000n);
  });
});

describe('rate limits', () => {
  it('given a small tier and a higher cost, orders are paced by both', async () => {
    await exchange.control('limits', { tokensPerSecond: 40, usualCost: 20 });
    const paced = connectTo(exchange, 5_000);
    const placeFive = async () => {
      const orders = Array.from({ length: 5 }, () => placeRequest({ contractMicros: 10_000n }));
      const outcomes = await Promise.all(orders.map((order) => paced.placeOrder(order)));
      return outcomes.map(({ kind }) => kind);
    };
    // The first ones may leave before the limits are known.
    await expect.poll(placeFive).toEqual(['done', 'done', 'done', 'done', 'done']);
    await exchange.control('limits', { tokensPerSecond: 8_000, usualCost: 10 });
  });
});

describe('the location attestation', () => {
  it('given it has expired, orders in its categories are refused and others are not', async () => {
    expect(await adapter.getRegionAttestation()).toBe(undefined);
    await exchange.control('exchange', { regionExpiresInMs: -1_000 });
    const attestation = await adapter.getRegionAttestation();
    expect(attestation?.categories).toContain('Sports');
    expect(attestation?.expiresAt.getTime()).toBeLessThan(Date.now());
    const { events } = await adapter.catalogue.listEvents({ status: 'open' });
    const game = events.find((event) => event.category === 'Sports')?.markets[0]?.ticker ?? '';
    const shard = await shardOf(adapter, game);
    expect(await adapter.placeOrder(placeRequest({ ticker: game, shard }))).toMatchObject({
      kind: 'our_fault',
      code: 'forbidden',
    });
    expect(await adapter.placeOrder(placeRequest())).toMatchObject({ kind: 'done' });
    await exchange.control('exchange', { regionExpiresInMs: null });
    expect(await adapter.getRegionAttestation()).toBe(undefined);
  });
});
