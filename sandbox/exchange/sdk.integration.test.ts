import { randomUUID } from 'node:crypto';
import {
  Configuration,
  EventsApi,
  ExchangeApi,
  MarketApi,
  OrdersApi,
  PortfolioApi,
} from 'kalshi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('lets an order rest and takes it back', async () => {
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

  it('is refused when the signature is not by the key', async () => {
    const response = await fetch(`${exchange.url}/portfolio/balance`, {
      headers: {
        'KALSHI-ACCESS-KEY': exchange.keyId,
        'KALSHI-ACCESS-TIMESTAMP': String(Date.now()),
        'KALSHI-ACCESS-SIGNATURE': Buffer.from('not a signature').toString('base64'),
      },
    });
    expect(response.status).toBe(401);
  });
});
