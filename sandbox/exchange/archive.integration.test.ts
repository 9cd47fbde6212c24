import { randomUUID } from 'node:crypto';
import axios from 'axios';
import { Configuration, HistoricalApi } from 'kalshi-typescript';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ExchangeTrade } from '#server/exchange/catalogue.ts';
import { createKalshiExchange } from '#server/exchange/kalshi/kalshiExchange.ts';
import type { Exchange, PlaceOrderRequest } from '#server/exchange/port.ts';
import { createLog } from '#server/platform/log.ts';
import { BUSY_TICKER, startTestExchange, type TestExchange } from './testing/testExchange.ts';

/** Our adapter on both sides of the exchange's cutoffs: nothing is missed, nothing appears twice. */

const DAY_MS = 86_400_000;
const AGES = {
  ordersMs: 14 * DAY_MS,
  tradesMs: 90 * DAY_MS,
  marketsMs: 90 * DAY_MS,
  positionsMs: 90 * DAY_MS,
};
const SERIES = 'KXPRESPARTY';

let exchange: TestExchange;
let adapter: Exchange;
let historical: HistoricalApi;

beforeAll(async () => {
  exchange = await startTestExchange('rsa');
  adapter = createKalshiExchange({
    ...exchange,
    credentials: exchange,
    log: createLog('test', 'silent'),
  });
  const { keyId: apiKey, privateKeyPem, url: basePath } = exchange;
  // The client adds its key to the axios it is given; the default one is shared with other files.
  historical = new HistoricalApi(
    new Configuration({ apiKey, privateKeyPem, basePath }),
    basePath,
    axios.create(),
  );
});
afterAll(() => exchange.remove());
afterEach(async () => {
  await exchange.control('faults', { clear: true });
  await exchange.control('archive', AGES);
});

async function place(change: Partial<PlaceOrderRequest> = {}) {
  const sentAt = new Date();
  const clientOrderId = randomUUID();
  const outcome = await adapter.placeOrder({
    clientOrderId,
    ticker: BUSY_TICKER,
    shard: 0,
    action: 'buy',
    side: 'yes',
    contractMicros: 3_000_000n,
    limitPriceMicros: 990_000n,
    storedAt: sentAt,
    mayBeSent: async () => true,
    ...change,
  });
  if (outcome.kind !== 'done') throw new Error(`unexpected ${outcome.kind}`);
  return { ...outcome, clientOrderId, sentAt };
}

const find = (clientOrderId: string, sentAt: Date) =>
  adapter.findOrder({ ticker: BUSY_TICKER, clientOrderId, sentAt });

describe('our own orders and fills', () => {
  it('given attempts of 30 days ago, finds what became of each', async () => {
    const filled = await place({ contractMicros: 20_000_000_000n });
    const unfilled = await place({ limitPriceMicros: 10_000n });
    await exchange.control('clock', { advanceMs: 30 * DAY_MS });
    const live = await fetch(`${exchange.url}/historical/cutoff`);
    const { orders_updated_ts } = (await live.json()) as { orders_updated_ts: string };
    expect(new Date(orders_updated_ts).getTime()).toBeGreaterThan(filled.sentAt.getTime());
    expect(await find(filled.clientOrderId, filled.sentAt)).toEqual({
      kind: 'found',
      exchangeOrderId: filled.exchangeOrderId,
      ended: true,
      filledContractMicros: filled.filledContractMicros,
    });
    expect(await find(unfilled.clientOrderId, unfilled.sentAt)).toMatchObject({
      kind: 'found',
      filledContractMicros: 0n,
    });
    const longAgo = new Date(Date.now() - DAY_MS);
    expect(await find(randomUUID(), longAgo)).toEqual({ kind: 'absent' });
    const recent = await place();
    const listed = await adapter.listOrders({ since: filled.sentAt });
    for (const { clientOrderId } of [filled, unfilled, recent]) {
      expect(listed.filter((one) => one.clientOrderId === clientOrderId)).toHaveLength(1);
    }
  });

  it('lists the fills of an order once, live or archived', async () => {
    const order = await place({ contractMicros: 200_000_000_000n });
    const list = () => adapter.listFills({ ...order, ticker: BUSY_TICKER, side: 'yes' });
    const live = await list();
    expect(live.length).toBeGreaterThan(1);
    await exchange.control('archive', { tradesMs: 0 });
    await expect.poll(list).toEqual(live);
  });

  it.each(['/historical/cutoff', '/historical/orders'])(
    'given %s does not respond, calls nothing absent',
    async (path) => {
      await exchange.control('archive', { ordersMs: 0 });
      const { clientOrderId, sentAt } = await place();
      const longAgo = new Date(Date.now() - DAY_MS);
      await exchange.control('faults', { arm: [{ kind: 'read_5xx', times: 4, path }] });
      await expect(find(randomUUID(), longAgo)).rejects.toThrow('did not serve');
      await exchange.control('faults', { clear: true });
      expect(await find(clientOrderId, sentAt)).toMatchObject({ kind: 'found' });
    },
  );
});

describe('trades of a market', () => {
  async function listAll(limit: number): Promise<ExchangeTrade[]> {
    const all: ExchangeTrade[] = [];
    let cursor = '';
    do {
      const page = await adapter.catalogue.listTrades({ ticker: BUSY_TICKER, limit, cursor });
      expect(page.trades.length).toBeLessThanOrEqual(limit);
      all.push(...page.trades);
      cursor = page.cursor;
    } while (cursor !== '');
    return all;
  }

  it.each([1_000, 100, 7])(
    'in pages of %i continue in the archive without gap or double',
    async (limit) => {
      await exchange.control('clock', { freeze: true });
      await exchange.control('archive', { tradesMs: 4_000 * DAY_MS });
      const all = await listAll(1_000);
      const middle = all[Math.floor(all.length / 2)];
      if (!middle) throw new Error('the market has no trades');
      const { now } = await exchange.control('archive');
      const tradesMs = new Date(String(now)).getTime() - middle.at.getTime();
      await exchange.control('archive', { tradesMs });
      const ids = (trades: ExchangeTrade[]) => trades.map(({ tradeId }) => tradeId);
      expect(ids(await listAll(limit))).toEqual(ids(all));
      await exchange.control('archive', { tradesMs: 0 });
      expect(ids(await listAll(limit))).toEqual(ids(all));
      await exchange.control('clock', { run: true });
    },
  );

  it('given trades that are archived between two pages, shows none twice', async () => {
    await exchange.control('clock', { freeze: true });
    await exchange.control('archive', { tradesMs: 4_000 * DAY_MS });
    const [first, second] = (await adapter.catalogue.listTrades({ ticker: BUSY_TICKER, limit: 2 }))
      .trades;
    const { now } = await exchange.control('archive');
    const age = (at: Date | undefined) => new Date(String(now)).getTime() - (at?.getTime() ?? 0);
    await exchange.control('archive', { tradesMs: age(second?.at) });
    const page = await adapter.catalogue.listTrades({ ticker: BUSY_TICKER, limit: 2 });
    expect(page.trades.map(({ tradeId }) => tradeId)).toEqual([first?.tradeId, second?.tradeId]);
    await exchange.control('archive', { tradesMs: 0 });
    const { cursor } = page;
    const next = await adapter.catalogue.listTrades({ ticker: BUSY_TICKER, limit: 5, cursor });
    expect(next.trades.length).toBeGreaterThan(0);
    for (const { tradeId } of next.trades) {
      expect([first?.tradeId, second?.tradeId]).not.toContain(tradeId);
    }
    await exchange.control('clock', { run: true });
  });

  it('refuses a cursor that it did not give', async () => {
    const cursor = 'archive.bm90aGluZw';
    await expect(
      adapter.catalogue.listTrades({ ticker: BUSY_TICKER, limit: 5, cursor }),
    ).rejects.toMatchObject({ status: 400 });
  });
});

describe('a settled market that is archived', () => {
  const ticker = 'KXPRESPARTY-28-R';

  it('keeps its candles, its record and its result', async () => {
    const to = new Date();
    const span = { from: new Date(to.getTime() - 2 * DAY_MS), to, periodMinutes: 60 } as const;
    const candles = () => adapter.catalogue.listCandles({ seriesTicker: SERIES, ticker, ...span });
    const of = (tickers: string[]) => adapter.catalogue.listCandlesOf({ tickers, ...span });
    await exchange.control('settle', { ticker, result: 'yes' });
    const live = await candles();
    expect(live.length).toBeGreaterThan(20);
    const busy = (await of([BUSY_TICKER])).get(BUSY_TICKER);
    await exchange.control('archive', { marketsMs: -1_000 });
    expect(await candles()).toEqual(live);
    expect(await adapter.getMarket(ticker)).toMatchObject({ final: { result: 'yes' } });
    expect((await adapter.catalogue.listMarkets({ tickers: [ticker] })).markets).toEqual([]);
    expect(await adapter.catalogue.getArchivedMarket(ticker)).toMatchObject({ status: 'settled' });
    // The archived one does not keep the others from being read.
    expect((await of([ticker, BUSY_TICKER])).get(BUSY_TICKER)).toEqual(busy);
  });

  it('moves the positions of its event together, and drops their settlements', async () => {
    const event = await adapter.catalogue.getEvent('KXPRESPARTY-28');
    const tickers = (event?.markets ?? []).map((market) => market.ticker);
    const settledHere = async () =>
      (await adapter.listSettlements({ since: new Date(0) })).map((one) => one.ticker);
    const held = async (ofTicker: string) =>
      (await historical.getHistoricalPositions(ofTicker)).data.market_positions.length;
    await exchange.control('archive', { positionsMs: -1_000 });
    expect(await held(BUSY_TICKER)).toBe(0);
    expect((await adapter.listPositions()).map((one) => one.ticker)).toContain(BUSY_TICKER);
    await exchange.control('archive', AGES);
    for (const one of tickers.filter((name) => name !== ticker)) {
      await exchange.control('settle', { ticker: one, result: 'no' });
    }
    expect(await settledHere()).toContain(BUSY_TICKER);
    await exchange.control('archive', { positionsMs: -1_000 });
    expect(await held(BUSY_TICKER)).toBe(1);
    expect(await settledHere()).not.toContain(BUSY_TICKER);
    expect((await adapter.listPositions()).map((one) => one.ticker)).not.toContain(BUSY_TICKER);
  });
});

describe('the official client', () => {
  it('reads what the adapter reads', async () => {
    await exchange.control('archive', { ordersMs: -1_000, tradesMs: -1_000, marketsMs: -1_000 });
    const { data: cutoff } = await historical.getHistoricalCutoff();
    expect(new Date(cutoff.orders_updated_ts).getTime()).toBeGreaterThan(Date.now());
    const orders = await historical.getHistoricalOrders(BUSY_TICKER);
    expect(orders.data.orders.length).toBeGreaterThan(0);
    const fills = await historical.getFillsHistorical(BUSY_TICKER);
    expect(fills.data.fills.length).toBeGreaterThan(0);
    const trades = await historical.getTradesHistorical(BUSY_TICKER);
    expect(trades.data.trades.length).toBeGreaterThan(0);
    const markets = await historical.getHistoricalMarkets(10, undefined, BUSY_TICKER);
    expect(markets.data.markets.map((market) => market.ticker)).toEqual([BUSY_TICKER]);
    const end = Math.floor(Date.now() / 1000);
    const candles = await historical.getMarketCandlesticksHistorical(
      BUSY_TICKER,
      end - 86_400,
      end,
      60,
    );
    expect(candles.data.candlesticks[0]?.yes_bid.close).toMatch(/^0\.\d{4}$/);
    expect(candles.data.candlesticks[0]?.volume).toMatch(/^\d+\.\d{2}$/);
  });
});
