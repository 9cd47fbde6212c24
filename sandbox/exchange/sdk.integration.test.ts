import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  ApiKeysApi,
  Configuration,
  EventsApi,
  ExchangeApi,
  LiveDataApi,
  MarketApi,
  MilestoneApi,
  OrderGroupsApi,
  OrdersApi,
  PortfolioApi,
} from 'kalshi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createSigner } from '#server/exchange/kalshi/signer.ts';
import { BUSY_TICKER, startTestExchange, type TestExchange } from './testing/testExchange.ts';

/** The exchange's own client library, as published, against the sandbox. */
let exchange: TestExchange;
let configuration: Configuration;

beforeAll(async () => {
  exchange = await startTestExchange('rsa');
  configuration = new Configuration({
    apiKey: exchange.keyId,
    privateKeyPem: exchange.privateKeyPem,
    basePath: exchange.url,
  });
});

afterAll(() => exchange.remove());

function restingBid(count: string) {
  return {
    ticker: BUSY_TICKER,
    client_order_id: randomUUID(),
    side: 'bid',
    count,
    price: '0.0100',
    time_in_force: 'good_till_canceled',
    self_trade_prevention_type: 'taker_at_cross',
  } as const;
}

/** Calls the exchange with a given key; returns the status. */
function callerWith(keyId: string, privateKeyPem: string) {
  const signer = createSigner(keyId, privateKeyPem);
  return async (method: 'GET' | 'POST', path: string, body?: object) => {
    const headers = await signer(method, `${new URL(exchange.url).pathname}${path}`);
    const init = { method, headers: { ...headers, 'content-type': 'application/json' } };
    const text = body && JSON.stringify(body);
    const response = await fetch(`${exchange.url}${path}`, text ? { ...init, body: text } : init);
    return response.status;
  };
}

describe('the official client', () => {
  it('reads status, schedule, series, events and markets', async () => {
    const status = await new ExchangeApi(configuration).getExchangeStatus();
    expect(status.data.trading_active).toBe(true);
    const schedule = await new ExchangeApi(configuration).getExchangeSchedule();
    expect(schedule.data.schedule.standard_hours.length).toBeGreaterThan(0);
    const markets = new MarketApi(configuration);
    const series = await markets.getSeries('KXPRESPARTY');
    expect(series.data.series.frequency).toBe('custom');
    const event = await new EventsApi(configuration).getEvent('KXPRESPARTY-28');
    expect(event.data.markets.map((market) => market.ticker)).toContain(BUSY_TICKER);
    const market = await markets.getMarket(BUSY_TICKER);
    expect(market.data.market.status).toBe('active');
    expect(market.data.market.yes_bid_dollars).toMatch(/^0\.\d{4}$/);
    const candles = await markets.getMarketCandlesticks(
      'KXPRESPARTY',
      BUSY_TICKER,
      Math.floor(Date.now() / 1000) - 86_400,
      Math.floor(Date.now() / 1000),
      60,
    );
    expect(candles.data.candlesticks.length).toBeGreaterThanOrEqual(24);
  });

  it('pages through all open markets, each once', async () => {
    const markets = new MarketApi(configuration);
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await markets.getMarkets(
        500,
        cursor,
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        'open',
      );
      for (const market of page.data.markets) {
        expect(seen.has(market.ticker)).toBe(false);
        seen.add(market.ticker);
      }
      cursor = page.data.cursor || undefined;
    } while (cursor);
    expect(seen.size).toBeGreaterThan(1_000);
  });

  it('buys, sees its order, fill, position and balance, and sells again', async () => {
    const orders = new OrdersApi(configuration);
    const portfolio = new PortfolioApi(configuration);
    const before = await portfolio.getBalance();
    const request = {
      ticker: BUSY_TICKER,
      client_order_id: randomUUID(),
      side: 'bid',
      count: '12.50',
      price: '0.9900',
      time_in_force: 'immediate_or_cancel',
      self_trade_prevention_type: 'taker_at_cross',
    } as const;
    const bought = await orders.createOrderV2(request);
    expect(bought.status).toBe(201);
    expect(bought.data.fill_count).toBe('12.50');
    const order = await orders.getOrder(bought.data.order_id);
    expect(order.data.order.status).toBe('executed');
    expect(order.data.order.client_order_id).toBe(request.client_order_id);
    const fills = await portfolio.getFills(undefined, bought.data.order_id);
    const cost = fills.data.fills.reduce(
      (sum, fill) =>
        sum + Number(fill.count_fp) * Number(fill.yes_price_dollars) + Number(fill.fee_cost),
      0,
    );
    const after = await portfolio.getBalance();
    expect(Number(before.data.balance_dollars) - Number(after.data.balance_dollars)).toBeCloseTo(
      cost,
      4,
    );
    const positions = await portfolio.getPositions();
    const held = positions.data.market_positions.find((one) => one.ticker === BUSY_TICKER);
    expect(held?.position_fp).toBe('12.50');
    await expect(orders.createOrderV2(request)).rejects.toMatchObject({
      response: { status: 409, data: { error: { code: 'order_already_exists' } } },
    });
    const sold = await orders.createOrderV2({
      ...request,
      client_order_id: randomUUID(),
      side: 'ask',
      price: '0.0100',
    });
    expect(sold.data.fill_count).toBe('12.50');
  });

  it('places a resting order and cancels it', async () => {
    const orders = new OrdersApi(configuration);
    const rested = await orders.createOrderV2({
      ticker: BUSY_TICKER,
      client_order_id: randomUUID(),
      side: 'bid',
      count: '5.00',
      price: '0.0100',
      time_in_force: 'good_till_canceled',
      self_trade_prevention_type: 'taker_at_cross',
    });
    expect(rested.data.remaining_count).toBe('5.00');
    const smaller = await orders.decreaseOrderV2(rested.data.order_id, { reduce_by: '2.00' });
    expect(smaller.data.remaining_count).toBe('3.00');
    const cancelled = await orders.cancelOrderV2(rested.data.order_id);
    expect(cancelled.data.reduced_by).toBe('3.00');
  });

  it('amends an order: a reduction keeps its place, another price may trade at once', async () => {
    const orders = new OrdersApi(configuration);
    const resting = await orders.createOrderV2(restingBid('5.00'));
    const { order_id: id } = resting.data;
    const same = { ticker: BUSY_TICKER, side: 'bid', price: '0.0100' } as const;
    const smaller = await orders.amendOrderV2(id, { ...same, count: '2.00' });
    expect(smaller.data).toMatchObject({ remaining_count: '2.00', fill_count: '0.00' });
    const renamed = randomUUID();
    const traded = await orders.amendOrderV2(id, {
      ...same,
      price: '0.9900',
      count: '3.00',
      updated_client_order_id: renamed,
    });
    expect(traded.data).toMatchObject({ fill_count: '3.00', client_order_id: renamed });
    const order = await orders.getOrder(id);
    expect(order.data.order).toMatchObject({ status: 'executed', initial_count_fp: '3.00' });
    await expect(orders.amendOrderV2(id, { ...same, count: '9.00' })).rejects.toMatchObject({
      response: { status: 404 },
    });
  });

  it('sees what trades before an order, one by one and in bulk', async () => {
    const orders = new OrdersApi(configuration);
    const first = (await orders.createOrderV2(restingBid('5.00'))).data.order_id;
    const second = (await orders.createOrderV2(restingBid('7.25'))).data.order_id;
    const { queue_positions } = (await orders.getOrderQueuePositions(BUSY_TICKER)).data;
    const positionOf = (id: string) => {
      const found = queue_positions.find(({ order_id }) => order_id === id);
      return { ticker: found?.market_ticker, ahead: Number(found?.queue_position_fp) };
    };
    expect(positionOf(first).ticker).toBe(BUSY_TICKER);
    expect(positionOf(second).ahead - positionOf(first).ahead).toBe(5);
    const alone = await orders.getOrderQueuePosition(second);
    expect(Number(alone.data.queue_position_fp)).toBe(positionOf(second).ahead);
    const eventTicker = 'KXPRESPARTY-28';
    const ofEvent = await orders.getOrderQueuePositions(undefined, eventTicker);
    expect(ofEvent.data.queue_positions).toEqual(queue_positions);
    const { data } = await orders.batchCancelOrdersV2({
      orders: [{ order_id: first, market_ticker: BUSY_TICKER }, { order_id: 'none' }],
    });
    expect(data.orders).toMatchObject([
      { order_id: first, reduced_by: '5.00' },
      { order_id: 'none', error: { code: 'not_found' } },
    ]);
    await orders.cancelOrderV2(second);
    await expect(orders.getOrderQueuePosition(second)).rejects.toMatchObject({
      response: { status: 404 },
    });
  });

  it('given post-only orders that would trade, gets ended or refused ones', async () => {
    const orders = new OrdersApi(configuration);
    const crossing = () => ({ ...restingBid('2.00'), price: '0.9900', post_only: true });
    const ended = await orders.createOrderV2(crossing());
    expect(ended.data).toMatchObject({ fill_count: '0.00', remaining_count: '0.00' });
    const { order } = (await orders.getOrder(ended.data.order_id)).data;
    expect(order).toMatchObject({ status: 'canceled', fill_count_fp: '0.00' });
    await exchange.control('faults', { arm: [{ kind: 'post_only_refused' }] });
    await expect(orders.createOrderV2(crossing())).rejects.toMatchObject({
      response: { status: 400, data: { error: { code: 'post_only_cross' } } },
    });
  });

  it('given a matched limit, a group’s orders stop until it is reset', async () => {
    const orders = new OrdersApi(configuration);
    const groups = new OrderGroupsApi(configuration);
    const { data: made } = await groups.createOrderGroup({ contracts_limit: 4 });
    const inGroup = { order_group_id: made.order_group_id };
    const resting = await orders.createOrderV2({ ...restingBid('1.00'), ...inGroup });
    const group = async () => (await groups.getOrderGroup(made.order_group_id)).data;
    expect(await group()).toMatchObject({
      is_auto_cancel_enabled: true,
      contracts_limit_fp: '4.00',
      orders: [resting.data.order_id],
    });
    const taking = { ...restingBid('4.00'), ...inGroup, price: '0.9900' };
    await orders.createOrderV2({ ...taking, time_in_force: 'immediate_or_cancel' });
    expect(await group()).toMatchObject({ is_auto_cancel_enabled: false, orders: [] });
    await expect(orders.createOrderV2({ ...restingBid('1.00'), ...inGroup })).rejects.toMatchObject(
      { response: { status: 409 } },
    );
    await groups.resetOrderGroup(made.order_group_id);
    await orders.createOrderV2({ ...restingBid('1.00'), ...inGroup });
    expect((await group()).orders).toHaveLength(1);
    await groups.deleteOrderGroup(made.order_group_id);
    const { data: all } = await groups.getOrderGroups();
    expect(all.order_groups?.map((one) => one.id)).not.toContain(made.order_group_id);
  });

  it('makes keys, signs with them and deletes them', async () => {
    const keys = new ApiKeysApi(configuration);
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const own = await keys.createApiKey({ name: 'own', public_key: publicKey });
    const made = await keys.generateApiKey({ name: 'made', scopes: ['read'] });
    // The library signs everything with its first key, so these requests are signed here.
    const owner = callerWith(own.data.api_key_id, privateKey);
    const reader = callerWith(made.data.api_key_id, made.data.private_key);
    expect(await reader('GET', '/portfolio/balance')).toBe(200);
    expect(await reader('POST', '/portfolio/events/orders', restingBid('1.00'))).toBe(403);
    expect(await owner('POST', '/portfolio/events/orders', restingBid('1.00'))).toBe(201);
    const listed = await keys.getApiKeys();
    expect(listed.data.api_keys).toEqual([
      { api_key_id: exchange.keyId, name: exchange.keyId, scopes: ['read', 'write'] },
      { api_key_id: own.data.api_key_id, name: 'own', scopes: ['read', 'write'] },
      { api_key_id: made.data.api_key_id, name: 'made', scopes: ['read'] },
    ]);
    await keys.deleteApiKey(own.data.api_key_id);
    expect(await owner('GET', '/portfolio/balance')).toBe(401);
    expect(await reader('GET', '/portfolio/balance')).toBe(200);
    await expect(keys.deleteApiKey(own.data.api_key_id)).rejects.toMatchObject({
      response: { status: 404 },
    });
  });

  it('separates the cash and positions of subaccounts', async () => {
    const portfolio = new PortfolioApi(configuration);
    const { data: made } = await portfolio.createSubaccount();
    const number = made.subaccount_number;
    const transfer = {
      client_transfer_id: randomUUID(),
      from_subaccount: 0,
      to_subaccount: number,
      amount_cents: 10_000,
    };
    await portfolio.applySubaccountTransfer(transfer);
    // A repeated transfer id is the same transfer.
    await portfolio.applySubaccountTransfer(transfer);
    const balances = async () => {
      const { data } = await portfolio.getSubaccountBalances();
      return data.subaccount_balances.find((one) => one.subaccount_number === number)?.balance;
    };
    expect(await balances()).toBe('100.0000');
    const before = (await portfolio.getBalance()).data.balance_dollars;
    const bought = await new OrdersApi(configuration).createOrderV2({
      ...restingBid('2.00'),
      price: '0.9900',
      time_in_force: 'immediate_or_cancel',
      subaccount: number,
    });
    expect(bought.data.fill_count).toBe('2.00');
    expect((await portfolio.getBalance()).data.balance_dollars).toBe(before);
    expect(Number(await balances())).toBeLessThan(100);
    const { data: fills } = await portfolio.getFills(undefined, bought.data.order_id);
    expect(fills.fills.every((fill) => fill.subaccount_number === number)).toBe(true);
    const { data: transfers } = await portfolio.getSubaccountTransfers();
    expect(transfers.transfers).toHaveLength(1);
  });

  it('sees open interest in candles, and fee changes that are announced', async () => {
    const markets = new MarketApi(configuration);
    const now = Math.floor(Date.now() / 1000);
    const { data } = await markets.getMarketCandlesticks(
      'KXPRESPARTY',
      BUSY_TICKER,
      now - 86_400,
      now,
      60,
    );
    const interest = data.candlesticks.map((candle) => Number(candle.open_interest_fp));
    expect(interest.every((value) => value > 0)).toBe(true);
    const scheduledTs = new Date(Date.now() + 3_600_000).toISOString();
    const eventTicker = 'KXPRESPARTY-28';
    await exchange.control('fees', { eventTicker, feeType: 'flat', scheduledTs });
    const changes = await new EventsApi(configuration).getEventFeeChanges();
    expect(changes.data.event_fee_changes).toMatchObject([
      { event_ticker: eventTicker, fee_type_override: 'flat', scheduled_ts: scheduledTs },
    ]);
  });

  it('receives a market’s snapshot on subscribing, and lists upcoming games', async () => {
    const signer = createSigner(exchange.keyId, exchange.privateKeyPem);
    const path = new URL(exchange.wsUrl).pathname;
    const socket = new WebSocket(exchange.wsUrl, { headers: await signer('GET', path) });
    const received: { type: string; msg: { market_ticker?: string } }[] = [];
    socket.on('message', (data) => received.push(JSON.parse((data as Buffer).toString())));
    await once(socket, 'open');
    const params = {
      channels: ['ticker'],
      market_ticker: BUSY_TICKER,
      send_initial_snapshot: true,
    };
    socket.send(JSON.stringify({ id: 1, cmd: 'subscribe', params }));
    await expect
      .poll(() => received.find((one) => one.type === 'ticker')?.msg.market_ticker)
      .toBe(BUSY_TICKER);
    socket.terminate();
    const { data } = await new MilestoneApi(configuration).getMilestones(5);
    expect(data.milestones).toHaveLength(5);
    const live = new LiveDataApi(configuration);
    const ids = data.milestones.map(({ id }) => id);
    const { live_datas } = (await live.getLiveDatas(ids)).data;
    expect(live_datas.map(({ milestone_id }) => milestone_id)).toEqual(ids);
    const [id = ''] = ids;
    const { live_data } = (await live.getLiveDataByMilestone(id)).data;
    expect(live_data.type).toBe(data.milestones[0]?.type);
    expect((await live.getLiveData(live_data.type, id)).data.live_data.milestone_id).toBe(id);
  });

  it('given a signature by another key, is rejected', async () => {
    const response = await fetch(`${exchange.url}/portfolio/balance`, {
      headers: {
        'KALSHI-ACCESS-KEY': exchange.keyId,
        'KALSHI-ACCESS-TIMESTAMP': String(Date.now()),
        'KALSHI-ACCESS-SIGNATURE': Buffer.from('not a signature').toString('base64'),
      },
    });
    expect(response.status).toBe(401);
  });

  it('given a deleted key, rejects it even after a restart that names it', async () => {
    const keys = new ApiKeysApi(configuration);
    const made = await keys.generateApiKey({ name: 'second', scopes: ['read', 'write'] });
    const second = callerWith(made.data.api_key_id, made.data.private_key);
    await keys.deleteApiKey(exchange.keyId);
    await exchange.crashAndRestart();
    const first = callerWith(exchange.keyId, exchange.privateKeyPem);
    expect(await first('GET', '/portfolio/balance')).toBe(401);
    expect(await second('GET', '/portfolio/balance')).toBe(200);
  });
});
