import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Exchange, PlaceOrderRequest } from '#server/exchange/port.ts';
import {
  behave,
  connectTo,
  heldMicros,
  placeRequest,
  startWithAdapter,
} from './testing/adapter.ts';
import { BUSY_TICKER, type TestExchange } from './testing/testExchange.ts';

/** Our adapter and an exchange that misbehaves or crashes: nothing is lost or done twice. */
let exchange: TestExchange;
let adapter: Exchange;

beforeAll(async () => {
  ({ exchange, adapter } = await startWithAdapter());
});
afterAll(() => exchange.remove());
afterEach(() => behave(exchange));

describe('an exchange that misbehaves at random', () => {
  it('leaves every order explained in the end, with nothing lost or doubled', async () => {
    // A busy machine must not look like an unresponsive exchange.
    const patient = connectTo(exchange, 2_000);
    const before = await heldMicros(adapter);
    await exchange.control('misbehave', { seed: 7, rate: 0.35, spellMs: 400, tickers: [] });
    const sent: { order: PlaceOrderRequest; sentAt: Date }[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const order = placeRequest({ contractMicros: 1_000_000n });
      sent.push({ order, sentAt: new Date() });
      await patient.placeOrder(order);
    }
    const { misbehaviour } = await exchange.control('misbehave', { rate: 0 });
    expect(misbehaviour).toMatchObject({ rate: 0 });
    let filled = 0n;
    for (const { order, sentAt } of sent) {
      const { ticker, clientOrderId } = order;
      const query = { ticker, clientOrderId, sentAt };
      const found = await adapter.findOrder(query);
      if (found.kind !== 'found') continue;
      expect(found.ended).toBe(true);
      filled += found.filledContractMicros;
      const { exchangeOrderId } = found;
      const fills = await adapter.listFills({ ticker, exchangeOrderId, side: 'yes', sentAt });
      expect(fills.reduce((sum, fill) => sum + fill.contractMicros, 0n)).toBe(
        found.filledContractMicros,
      );
    }
    expect(filled).toBeGreaterThan(0n);
    expect((await heldMicros(adapter)) - before).toBe(filled);
  });

  it('given the same seed, repeats, and names the kinds it knows', async () => {
    const happened = async () => {
      await exchange.control('misbehave', {
        seed: 3,
        rate: 0.5,
        kinds: ['read_5xx', 'drop_before'],
      });
      for (let turn = 0; turn < 20; turn += 1) {
        await fetch(`${exchange.url}/exchange/schedule`).catch(() => undefined);
      }
      const state = await fetch(`${exchange.controlUrl}/state`);
      const { misbehaviour } = (await state.json()) as { misbehaviour: { happened: object } };
      return misbehaviour.happened;
    };
    const once = await happened();
    expect(Object.keys(once).sort()).toEqual(['drop_before', 'read_5xx']);
    expect(await happened()).toEqual(once);
    await exchange.control('misbehave', { rate: 0 });
    await expect(exchange.control('misbehave', { rate: 1, kinds: ['gremlins'] })).rejects.toThrow(
      'gremlins is not one of',
    );
  });
});

describe('control commands', () => {
  it('survive a crash', async () => {
    const eventTicker = 'KXPRESPARTY-28';
    await exchange.control('exchange', { tradingActive: false });
    await exchange.control('fees', { eventTicker, feeType: 'flat', feeMultiplier: 1 });
    const scheduledTs = new Date(Date.now() - 1_000).toISOString();
    await exchange.control('fees', {
      seriesTicker: 'KXHOUSE',
      feeType: 'quadratic',
      feeMultiplier: 0.25,
      scheduledTs,
    });
    await exchange.control('account', { addDollars: '-1000' });
    const balance = await adapter.getBalanceMicros();
    await exchange.crashAndRestart();
    adapter = connectTo(exchange);
    expect(await adapter.getStatus()).toMatchObject({ tradingActive: false });
    expect(await adapter.getFeeRule(BUSY_TICKER)).toMatchObject({ takerRateMicros: 35_000n });
    expect(await adapter.getFeeRule('KXHOUSE-28-D')).toMatchObject({ multiplierMicros: 250_000n });
    expect(await adapter.getBalanceMicros()).toBe(balance);
    await exchange.control('fees', { eventTicker, feeType: null });
  });
});

describe('a crash of the exchange', () => {
  it('loses no order that was acknowledged', async () => {
    const orders = Array.from({ length: 20 }, () => placeRequest({ contractMicros: 10_000n }));
    const sentAt = new Date();
    const patient = connectTo(exchange, 30_000);
    const placed = await Promise.all(orders.map((order) => patient.placeOrder(order)));
    const balance = await adapter.getBalanceMicros();
    const net = await heldMicros(adapter);
    await exchange.crashAndRestart();
    adapter = connectTo(exchange);
    expect(await adapter.getBalanceMicros()).toBe(balance);
    expect(await heldMicros(adapter)).toBe(net);
    for (const [index, order] of orders.entries()) {
      const outcome = placed[index];
      expect(outcome?.kind).toBe('done');
      const { ticker, clientOrderId } = order;
      const found = await adapter.findOrder({ ticker, clientOrderId, sentAt });
      expect(found).toMatchObject({
        kind: 'found',
        exchangeOrderId: outcome?.kind === 'done' ? outcome.exchangeOrderId : '',
      });
    }
  });
});
