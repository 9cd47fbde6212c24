import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shardOf } from '#sandbox/testing/shards.ts';
import type { CatalogueChange } from '#server/exchange/catalogue.ts';
import { createFeed } from '#server/exchange/kalshi/feed.ts';
import { createKalshiExchange } from '#server/exchange/kalshi/kalshiExchange.ts';
import { createSigner } from '#server/exchange/kalshi/signer.ts';
import type { Exchange, ExchangeFill, PlaceOrderRequest } from '#server/exchange/port.ts';
import { createLog } from '#server/platform/log.ts';
import { BUSY_TICKER, startTestExchange, type TestExchange } from './testing/testExchange.ts';

/** Our adapter against a misbehaving exchange: every response is interpreted correctly. */
let exchange: TestExchange;
let adapter: Exchange;
const log = createLog('test', 'silent');

function connect(writeMs = 500): Exchange {
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
  adapter = connect();
});

afterAll(() => exchange.remove());
afterEach(async () => {
  await exchange.control('faults', { clear: true });
  await exchange.control('exchange', { exchangeActive: true, tradingActive: true });
});

function request(change: Partial<PlaceOrderRequest> = {}): PlaceOrderRequest {
  return {
    clientOrderId: randomUUID(),
    ticker: BUSY_TICKER,
    shard: 0,
    action: 'buy',
    side: 'yes',
    contractMicros: 3_000_000n,
    limitPriceMicros: 990_000n,
    storedAt: new Date(),
    mayBeSent: async () => true,
    ...change,
  };
}

const arm = (kind: string, more: object = {}) =>
  exchange.control('faults', { arm: [{ kind, ...more }] });

/** Net contracts the exchange says we hold in the busy market. */
async function held(): Promise<bigint> {
  const positions = await adapter.listPositions();
  return positions.find((one) => one.ticker === BUSY_TICKER)?.netContractMicros ?? 0n;
}

describe('placing orders', () => {
  it.each([
    ['buy', 'yes', 1n],
    ['sell', 'yes', -1n],
    ['buy', 'no', -1n],
    ['sell', 'no', 1n],
  ] as const)('%s %s fills and moves the net position by %s', async (action, side, sign) => {
    const before = await held();
    const sentAt = new Date();
    const limitPriceMicros = action === 'buy' ? 990_000n : 10_000n;
    const outcome = await adapter.placeOrder(request({ action, side, limitPriceMicros }));
    expect(outcome).toMatchObject({ kind: 'done', filledContractMicros: 3_000_000n });
    const exchangeOrderId = outcome.kind === 'done' ? outcome.exchangeOrderId : '';
    const fills = await adapter.listFills({ ticker: BUSY_TICKER, exchangeOrderId, side, sentAt });
    expect(fills.reduce((sum, fill) => sum + fill.contractMicros, 0n)).toBe(3_000_000n);
    expect(await held()).toBe(before + sign * 3_000_000n);
  });

  it('given no resting orders at the price, completes with nothing', async () => {
    const outcome = await adapter.placeOrder(request({ limitPriceMicros: 10_000n }));
    expect(outcome).toMatchObject({ kind: 'done', filledContractMicros: 0n });
    await arm('ioc_as_409');
    const refused = await adapter.placeOrder(request({ limitPriceMicros: 10_000n }));
    expect(refused).toMatchObject({ kind: 'no_fill', reason: 'nothing_at_price' });
  });

  it.each([
    ['order_accept_then_timeout', true],
    ['order_5xx_after', true],
    ['drop_after', true],
    ['order_5xx_before', false],
    ['drop_before', false],
  ])('given %s, reports an unknown outcome and then resolves it', async (kind, wasPlaced) => {
    const before = await held();
    const sentAt = new Date();
    const order = request();
    await arm(kind, { path: '/portfolio/events/orders' });
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
    expect(await held()).toBe(wasPlaced ? before + 3_000_000n : before);
  });

  it('given lagging reads, does not treat an order as absent', async () => {
    await exchange.control('faults', { readLagMs: 600_000 });
    const sentAt = new Date(Date.now() - 60_000);
    const query = { ticker: BUSY_TICKER, clientOrderId: randomUUID(), sentAt };
    expect(await adapter.findOrder(query)).toEqual({ kind: 'not_yet_known' });
  });

  it('given late and doubled fills, returns each once and in order', async () => {
    const sentAt = new Date();
    const outcome = await adapter.placeOrder(request({ contractMicros: 20_000_000_000n }));
    if (outcome.kind !== 'done') throw new Error(`unexpected ${outcome.kind}`);
    const { exchangeOrderId, filledContractMicros } = outcome;
    const read = () =>
      adapter.listFills({ ticker: BUSY_TICKER, exchangeOrderId, side: 'yes', sentAt });
    await exchange.control('faults', { readLagMs: 600_000 });
    expect(await read()).toEqual([]);
    await exchange.control('faults', { clear: true });
    await arm('duplicate_fills');
    await arm('shuffled_pages');
    const fills = await read();
    expect(fills.length).toBeGreaterThan(1);
    expect(fills.reduce((sum, fill) => sum + fill.contractMicros, 0n)).toBe(filledContractMicros);
    const times = fills.map((fill) => fill.at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it('given a trading or exchange pause, waits', async () => {
    await exchange.control('exchange', { tradingActive: false });
    expect(await adapter.placeOrder(request())).toMatchObject({ kind: 'wait', spent: false });
    expect(await adapter.getStatus()).toMatchObject({ exchangeActive: true, tradingActive: false });
    await exchange.control('exchange', { exchangeActive: false });
    const order = request();
    expect(await adapter.placeOrder(order)).toMatchObject({ kind: 'wait', spent: false });
    await exchange.control('exchange', { exchangeActive: true, tradingActive: true });
    // The client order id may be used again: the exchange accepted nothing under it.
    expect((await adapter.placeOrder(order)).kind).toBe('done');
  });

  it('given a rate limit without a hint, waits', async () => {
    await arm('rate_limit', { path: '/portfolio/events/orders' });
    expect(await adapter.placeOrder(request())).toMatchObject({ kind: 'wait', spent: false });
  });

  it('given a lack of cash or a wrong clock, reports our own fault', async () => {
    await arm('insufficient_balance');
    expect(await adapter.placeOrder(request())).toMatchObject({
      kind: 'our_fault',
      code: 'insufficient_balance',
    });
    await exchange.control('faults', { clockSkewMs: 120_000 });
    expect((await adapter.placeOrder(request())).kind).toBe('our_fault');
  });

  it('rejects prices off the grid and unknown markets', async () => {
    const offGrid = await adapter.placeOrder(request({ limitPriceMicros: 555_500n }));
    expect(offGrid).toMatchObject({ kind: 'no_fill', reason: 'price_not_allowed' });
    const nowhere = await adapter.placeOrder(request({ ticker: 'KXNO-SUCH' }));
    expect(nowhere).toMatchObject({ kind: 'no_fill', reason: 'market_not_found' });
  });

  it('handles flat errors, pages that are not JSON, and transient rejections', async () => {
    await arm('flat_errors');
    const flat = await adapter.placeOrder(request({ limitPriceMicros: 555_500n }));
    expect(flat).toMatchObject({ kind: 'no_fill', code: 'invalid_price' });
    await arm('html_answer', { path: '/portfolio/balance' });
    await arm('rate_limit', { path: '/portfolio/balance' });
    expect(await adapter.getBalanceMicros()).toBeGreaterThan(0n);
    await arm('html_answer', { path: '/portfolio/events/orders' });
    expect((await adapter.placeOrder(request())).kind).toBe('unknown');
  });
});

describe('placing several orders at a time', () => {
  const placeAll = (orders: PlaceOrderRequest[]) =>
    Promise.all(orders.map((order) => adapter.placeOrder(order)));

  it('resolves each on its own, and moves the position by the fills', async () => {
    const before = await held();
    const orders = [
      request(),
      request({ limitPriceMicros: 10_000n }),
      request({ limitPriceMicros: 555_500n }),
      request({ ticker: 'KXNO-SUCH' }),
      request({ action: 'sell', limitPriceMicros: 10_000n, contractMicros: 1_000_000n }),
    ];
    expect(await placeAll(orders)).toMatchObject([
      { kind: 'done', filledContractMicros: 3_000_000n },
      { kind: 'done', filledContractMicros: 0n },
      { kind: 'no_fill', reason: 'price_not_allowed' },
      { kind: 'no_fill', reason: 'market_not_found' },
      { kind: 'done', filledContractMicros: 1_000_000n },
    ]);
    expect((await held()) - before).toBe(2_000_000n);
  });

  it('given one that cannot be paid, rejects only that one', async () => {
    await arm('insufficient_balance');
    const outcomes = await placeAll([request(), request(), request()]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['our_fault', 'done', 'done']);
  });

  it('given one with an old stored time, rejects it and sends the others', async () => {
    const before = await held();
    const storedAt = new Date(Date.now() - 31_000);
    expect(await placeAll([request(), request({ storedAt }), request()])).toMatchObject([
      { kind: 'done' },
      { kind: 'our_fault', code: 'header_timestamp_expired' },
      { kind: 'done' },
    ]);
    expect((await held()) - before).toBe(6_000_000n);
  });

  it.each([
    ['order_accept_then_timeout', true],
    ['order_5xx_before', false],
  ])('given %s, reports unknown outcomes and then resolves them', async (kind, werePlaced) => {
    const before = await held();
    const sentAt = new Date();
    const orders = [request(), request()];
    await arm(kind, { path: '/portfolio/events/orders' });
    expect((await placeAll(orders)).map((one) => one.kind)).toEqual(['unknown', 'unknown']);
    for (const { ticker, clientOrderId } of orders) {
      const found = await adapter.findOrder({ ticker, clientOrderId, sentAt });
      expect(found.kind).toBe(werePlaced ? 'found' : 'not_yet_known');
    }
    expect((await held()) - before).toBe(werePlaced ? 6_000_000n : 0n);
    // Sent again under the same ids, each is accepted at most once.
    const again = await placeAll(orders);
    expect(again.map((one) => one.kind)).toEqual(
      werePlaced ? ['unknown', 'unknown'] : ['done', 'done'],
    );
    expect((await held()) - before).toBe(6_000_000n);
  });
});

describe('the life of a market', () => {
  const ticker = 'KXPRESPARTY-28-O';

  it('pauses, changes its grid, closes, reopens, is disputed, and pays only when final', async () => {
    const status = async () => (await adapter.getMarket(ticker))?.status;
    await exchange.control('market', { ticker, paused: true });
    expect(await status()).toBe('paused');
    expect((await adapter.placeOrder(request({ ticker }))).kind).toBe('wait');
    // The simulated belief does not affect this test.
    const change = { paused: false, structure: 'deci_cent', priceDollars: '0.3' };
    await exchange.control('market', { ticker, ...change });
    expect((await adapter.getMarket(ticker))?.priceRanges[0]?.stepMicros).toBe(1_000n);
    const bought = await adapter.placeOrder(
      request({ ticker, side: 'no', contractMicros: 2_000_000n }),
    );
    expect(bought).toMatchObject({ kind: 'done', filledContractMicros: 2_000_000n });
    await exchange.control('market', { ticker, close: true });
    expect(await status()).toBe('closed');
    expect(await adapter.placeOrder(request({ ticker }))).toMatchObject({
      kind: 'no_fill',
      reason: 'market_closed',
    });
    await exchange.control('market', { ticker, reopenMs: 600_000 });
    expect(await status()).toBe('open');
    await exchange.control('market', { ticker, determine: true, payoutYesDollars: '0.25' });
    expect(await adapter.getMarket(ticker)).toMatchObject({ status: 'closed' });
    expect((await adapter.getMarket(ticker))?.final).toBe(undefined);
    await exchange.control('market', { ticker, review: 'disputed' });
    expect(await status()).toBe('closed');
    const before = await adapter.getBalanceMicros();
    await exchange.control('market', { ticker, finalize: true });
    expect(await adapter.getMarket(ticker)).toMatchObject({
      status: 'settled',
      final: { result: 'scalar', payoutYesMicros: 250_000n },
    });
    expect((await adapter.getBalanceMicros()) - before).toBe(1_500_000n);
  });

  it('follows fee overrides and waivers', async () => {
    const fresh = () => connect().getFeeRule(BUSY_TICKER);
    expect(await fresh()).toMatchObject({ kind: 'quadratic', multiplierMicros: 1_000_000n });
    const eventTicker = 'KXPRESPARTY-28';
    await exchange.control('fees', { eventTicker, feeType: 'quadratic', feeMultiplier: 0.5 });
    expect(await fresh()).toMatchObject({ kind: 'quadratic', multiplierMicros: 500_000n });
    await exchange.control('fees', { eventTicker, feeType: 'invented' });
    expect(await fresh()).toEqual({ kind: 'unknown', feeType: 'invented' });
    await exchange.control('market', { ticker: BUSY_TICKER, feeWaivedMs: 60_000 });
    expect(await fresh()).toEqual({ kind: 'waived' });
    await exchange.control('fees', { eventTicker, feeType: null });
    await exchange.control('market', { ticker: BUSY_TICKER, feeWaivedMs: -60_000 });
  });
});

describe('rate limits', () => {
  it('given a small tier and a higher cost, orders are paced by both', async () => {
    await exchange.control('limits', { tokensPerSecond: 40, usualCost: 20 });
    const paced = connect(5_000);
    const placeFive = async () => {
      const orders = Array.from({ length: 5 }, () => request({ contractMicros: 10_000n }));
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
    expect(await adapter.placeOrder(request({ ticker: game, shard }))).toMatchObject({
      kind: 'our_fault',
      code: 'forbidden',
    });
    expect(await adapter.placeOrder(request())).toMatchObject({ kind: 'done' });
    await exchange.control('exchange', { regionExpiresInMs: null });
    expect(await adapter.getRegionAttestation()).toBe(undefined);
  });
});

describe('candles', () => {
  it('are the same for many markets in one call as for one', async () => {
    const hour = 3_600_000;
    const to = new Date(Math.floor(Date.now() / hour) * hour);
    const span = { from: new Date(to.getTime() - 24 * hour), to, periodMinutes: 60 } as const;
    const { markets } = await adapter.catalogue.listMarkets({ status: 'open' });
    const tickers = [BUSY_TICKER, ...markets.slice(0, 3).map(({ ticker }) => ticker)];
    const found = await adapter.catalogue.listCandlesOf({ ...span, tickers });
    expect([...found.keys()].sort()).toEqual([...new Set(tickers)].sort());
    const [event] = (await adapter.catalogue.listEvents({})).events.filter((one) =>
      one.markets.some(({ ticker }) => ticker === BUSY_TICKER),
    );
    const alone = await adapter.catalogue.listCandles({
      ...span,
      ticker: BUSY_TICKER,
      seriesTicker: event?.seriesTicker ?? '',
    });
    expect(alone.length).toBeGreaterThanOrEqual(23);
    expect(found.get(BUSY_TICKER)).toEqual(alone);
  });
});

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
      await adapter.placeOrder(request());
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
    const listener = connect(2_000);
    const stop = new AbortController();
    listener.subscribeFills(stop.signal);
    const sentAt = new Date();
    const bought = async () => {
      const outcome = await listener.placeOrder(request({ side: 'no' }));
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
    const listener = connect();
    const stop = new AbortController();
    listener.subscribeFills(stop.signal);
    const placeUnheard = async () => {
      const { clientOrderId, ...order } = request();
      await arm('order_5xx_after', { path: '/portfolio/events/orders' });
      expect((await listener.placeOrder({ ...order, clientOrderId })).kind).toBe('unknown');
      await arm('read_5xx', { times: 8, path: '/portfolio/orders' });
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

describe('an exchange that misbehaves at random', () => {
  it('leaves every order explained in the end, with nothing lost or doubled', async () => {
    // A busy machine must not look like an unresponsive exchange.
    const patient = connect(2_000);
    const before = await held();
    await exchange.control('misbehave', { seed: 7, rate: 0.35, spellMs: 400, tickers: [] });
    const sent: { order: PlaceOrderRequest; sentAt: Date }[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const order = request({ contractMicros: 1_000_000n });
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
    expect((await held()) - before).toBe(filled);
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
    adapter = connect();
    expect(await adapter.getStatus()).toMatchObject({ tradingActive: false });
    expect(await adapter.getFeeRule(BUSY_TICKER)).toMatchObject({ takerRateMicros: 35_000n });
    expect(await adapter.getFeeRule('KXHOUSE-28-D')).toMatchObject({ multiplierMicros: 250_000n });
    expect(await adapter.getBalanceMicros()).toBe(balance);
    await exchange.control('fees', { eventTicker, feeType: null });
  });
});

describe('a crash of the exchange', () => {
  it('loses no order that was acknowledged', async () => {
    const orders = Array.from({ length: 20 }, () => request({ contractMicros: 10_000n }));
    const sentAt = new Date();
    const patient = connect(30_000);
    const placed = await Promise.all(orders.map((order) => patient.placeOrder(order)));
    const balance = await adapter.getBalanceMicros();
    const net = await held();
    await exchange.crashAndRestart();
    adapter = connect();
    expect(await adapter.getBalanceMicros()).toBe(balance);
    expect(await held()).toBe(net);
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

describe('scores', () => {
  const TRIES_OF_A_READ = 4;
  type Milestone = { id: string; title: string; type: string; start_date: string };

  /** The game around the clock that is on now. */
  async function currentGame(): Promise<Milestone & { ticker: string }> {
    const now = new Date(String((await exchange.control('clock')).now));
    const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000).toISOString();
    const url = `${exchange.url}/milestones?type=basketball_game&minimum_start_date=${hour}&limit=500`;
    const { milestones } = (await (await fetch(url)).json()) as { milestones: Milestone[] };
    const game = milestones.find(
      ({ id, start_date }) => id.includes('KXTRIGAME') && new Date(start_date) <= now,
    );
    if (!game) throw new Error('no game is on');
    return { ...game, ticker: game.id.replace('milestone-', '') };
  }

  const sum = (teams: { points: number }[]) => teams.reduce((all, { points }) => all + points, 0);

  it('advance with the game and end as its markets do', async () => {
    const { id, title, ticker } = await currentGame();
    const { markets } = (await (await fetch(`${exchange.url}/events/${ticker}`)).json()) as {
      markets: { ticker: string }[];
    };
    const [home, away] = markets.map((market) => market.ticker);
    const moveClose = async (reopenMs: number) => {
      for (const one of [home, away]) await exchange.control('market', { ticker: one, reopenMs });
      return (await adapter.catalogue.listScores([{ id, title }]))[0];
    };
    const early = await moveClose(50 * 60_000);
    const late = await moveClose(5 * 60_000);
    expect(early?.phase).toBe('live');
    expect(early?.statusText).toMatch(/^Q1 \d/);
    expect(late?.statusText).toMatch(/^Q4 \d/);
    expect(sum(late?.teams ?? [])).toBeGreaterThan(sum(early?.teams ?? []));
    expect(title).toBe(late?.teams.map(({ name }) => name).join(' at '));
    await exchange.control('settle', { ticker: home, result: 'no' });
    await exchange.control('settle', { ticker: away, result: 'yes' });
    const [end] = await adapter.catalogue.listScores([{ id, title }]);
    expect(end).toMatchObject({ phase: 'ended', statusText: 'Final' });
    expect(end?.teams[0].points).toBeGreaterThan(end?.teams[1].points ?? 0);
  });

  it('given unknown milestones, events without a game and games that are to come, are absent', async () => {
    const { milestones } = (await (
      await fetch(`${exchange.url}/milestones?minimum_start_date=2200-01-01`)
    ).json()) as { milestones: Milestone[] };
    expect(milestones).toEqual([]);
    const later = new Date(Date.now() + 2 * 3_600_000).toISOString();
    const response = await fetch(`${exchange.url}/milestones?minimum_start_date=${later}&limit=9`);
    const coming = ((await response.json()) as { milestones: Milestone[] }).milestones;
    expect(coming.length).toBeGreaterThan(0);
    const asked = [...coming, { id: 'milestone-KXPRESPARTY-28', title: 'A at B' }];
    expect(await adapter.catalogue.listScores(asked)).toEqual([]);
  });

  it('given an exchange that fails half-way, is read again, and then reported as unavailable', async () => {
    const games = [{ id: 'milestone-none', title: 'A at B' }];
    await arm('read_5xx', { path: '/live_data', times: 1 });
    expect(await adapter.catalogue.listScores(games)).toEqual([]);
    await arm('read_5xx', { path: '/live_data', times: TRIES_OF_A_READ });
    await expect(adapter.catalogue.listScores(games)).rejects.toThrow();
  });
});
