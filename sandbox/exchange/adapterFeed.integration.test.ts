import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CatalogueChange } from '#server/exchange/catalogue.ts';
import { createFeed } from '#server/exchange/kalshi/feed.ts';
import { createSigner } from '#server/exchange/kalshi/signer.ts';
import type { Exchange, ExchangeFill } from '#server/exchange/port.ts';
import { arm, behave, connectTo, log, placeRequest, startWithAdapter } from './testing/adapter.ts';
import { BUSY_TICKER, type TestExchange } from './testing/testExchange.ts';

/** Our adapter follows the feed, also where it has gaps or falls silent. */
let exchange: TestExchange;
let adapter: Exchange;

beforeAll(async () => {
  ({ exchange, adapter } = await startWithAdapter());
});
afterAll(() => exchange.remove());
afterEach(() => behave(exchange));

describe('the feed', () => {
  it('reports changes and possible gaps', async () => {
    const changes: CatalogueChange[] = [];
    const gaps: string[] = [];
    const stop = new AbortController();
    adapter.catalogue.watch({
      onChange: (change) => changes.push(change),
      onGap: (reason) => gaps.push(reason),
      signal: stop.signal,
    });
    await expect.poll(() => gaps).toEqual(['connected']);
    const trade = async () => {
      await adapter.placeOrder(placeRequest());
    };
    await trade();
    const ofTicker = () => changes.filter((one) => 'ticker' in one && one.ticker === BUSY_TICKER);
    await expect.poll(() => ofTicker().length).toBeGreaterThan(0);
    await exchange.control('faults', { socketDrop: 1 });
    await trade();
    await trade();
    await expect.poll(() => gaps).toContain('sequence');
    await exchange.control('market', { ticker: 'KXPRESPARTY-28-R', paused: true });
    await expect
      .poll(() => changes.some((one) => one.kind === 'market' && one.ticker.endsWith('-R')))
      .toBe(true);
    await exchange.control('market', { ticker: 'KXPRESPARTY-28-R', paused: false });
    stop.abort();
  });
});

describe('fills from the feed', () => {
  it('equal the listed ones, although the list lags behind', async () => {
    const listener = connectTo(exchange, 2_000);
    const stop = new AbortController();
    listener.subscribeFills(stop.signal);
    const sentAt = new Date();
    const bought = async () => {
      const outcome = await listener.placeOrder(placeRequest({ side: 'no' }));
      if (outcome.kind !== 'done') throw new Error(`unexpected ${outcome.kind}`);
      return outcome;
    };
    const hear = async ({
      exchangeOrderId,
      filledContractMicros,
    }: Awaited<ReturnType<typeof bought>>) =>
      listener.bufferedFills({ exchangeOrderId, side: 'no', filledContractMicros });
    await exchange.control('faults', { fillLagMs: 600_000 });
    await expect.poll(async () => (await hear(await bought()))?.length).toBeGreaterThan(0);
    const order = await bought();
    const received = await hear(order);
    const query = {
      ticker: BUSY_TICKER,
      exchangeOrderId: order.exchangeOrderId,
      side: 'no',
      sentAt,
    } as const;
    expect(await listener.listFills(query)).toEqual([]);
    await exchange.control('faults', { clear: true });
    const withoutTime = (fills: ExchangeFill[] = []) =>
      fills.map((fill) => ({ ...fill, at: undefined }));
    expect(withoutTime(received)).toEqual(withoutTime(await listener.listFills(query)));

    await exchange.control('faults', { socketSilent: true });
    expect(await hear(await bought())).toBe(undefined);
    stop.abort();
  });
});

describe('ended orders from the feed', () => {
  it('given an order without a response, it is found without a read', async () => {
    const listener = connectTo(exchange);
    const stop = new AbortController();
    listener.subscribeFills(stop.signal);
    const placeUnheard = async () => {
      const { clientOrderId, ...order } = placeRequest();
      await arm(exchange, 'order_5xx_after', { path: '/portfolio/events/orders' });
      expect((await listener.placeOrder({ ...order, clientOrderId })).kind).toBe('unknown');
      await arm(exchange, 'read_5xx', { times: 8, path: '/portfolio/orders' });
      const query = { ticker: order.ticker, clientOrderId, sentAt: new Date() };
      const found = await listener.findOrder(query).catch(() => undefined);
      await exchange.control('faults', { clear: true });
      return found;
    };
    await expect
      .poll(placeUnheard)
      .toMatchObject({ kind: 'found', ended: true, filledContractMicros: 3_000_000n });
    stop.abort();
  });
});

describe('a silent feed', () => {
  it('is detected and reconnected', async () => {
    const gaps: string[] = [];
    const stop = new AbortController();
    const watch = createFeed({
      wsUrl: exchange.wsUrl,
      signer: createSigner(exchange.keyId, exchange.privateKeyPem),
      log,
      silenceMs: 400,
      firstRetryMs: 20,
    });
    watch({ onChange: () => undefined, onGap: (reason) => gaps.push(reason), signal: stop.signal });
    await expect.poll(() => gaps.length).toBe(1);
    await exchange.control('faults', { socketSilent: true });
    await expect.poll(() => gaps.length).toBeGreaterThan(1);
    stop.abort();
  });
});
