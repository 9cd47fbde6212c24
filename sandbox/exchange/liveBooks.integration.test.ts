import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { IS_LONG_RUN } from '#sandbox/testing/longRun.ts';
import { differences } from '#server/exchange/kalshi/followedBook.ts';
import { createKalshiExchange } from '#server/exchange/kalshi/kalshiExchange.ts';
import { createSigner } from '#server/exchange/kalshi/signer.ts';
import type { Exchange, FollowedMarket, MarketUpdate } from '#server/exchange/port.ts';
import { BUSY_TICKER, startTestExchange, type TestExchange } from './testing/testExchange.ts';

/** How many messages are lost, doubled or reordered. */
const FAULTS = IS_LONG_RUN ? 1_000 : 150;

/** Books that the adapter follows, compared with the exchange's own while messages are lost. */
let exchange: TestExchange;
let adapter: Exchange;
let tickers: string[];
/** What the adapter logged about repairs. */
const repairs: { reason: string }[] = [];
const log = pino(
  { level: 'debug' },
  {
    write(line: string) {
      const logged = JSON.parse(line) as { reason?: string };
      if (logged.reason !== undefined) repairs.push({ reason: logged.reason });
    },
  },
);

const createAdapter = () =>
  createKalshiExchange({ url: exchange.url, wsUrl: exchange.wsUrl, credentials: exchange, log });

beforeAll(async () => {
  exchange = await startTestExchange('ed25519');
  adapter = createAdapter();
  await exchange.control('limits', { tokensPerSecond: 1_000_000 });
  const eventTicker = BUSY_TICKER.split('-').slice(0, 2).join('-');
  const { markets } = await adapter.catalogue.listMarkets({ eventTicker });
  tickers = markets.map((market) => market.ticker);
});
afterAll(() => exchange?.remove());
afterEach(async () => {
  await exchange.control('faults', { clear: true });
  await exchange.control('clock', { run: true });
});

/** Follows a market and notes every update. */
function follow(ticker: string): FollowedMarket & { updates: MarketUpdate[] } {
  const updates: MarketUpdate[] = [];
  return { ...adapter.followMarket(ticker, (update) => updates.push(update)), updates };
}

async function send(method: string, path: string, body?: object): Promise<Response> {
  const url = `${exchange.url}${path}`;
  const signer = createSigner(exchange.keyId, exchange.privateKeyPem);
  const headers = await signer(method, new URL(url).pathname);
  return await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
}

let placed = 0;

/** Changes one level of the book by a bid that rests far below the market. */
async function changeBook(ticker: string): Promise<void> {
  placed += 1;
  const response = await send('POST', '/portfolio/events/orders', {
    ticker,
    client_order_id: randomUUID(),
    side: 'bid',
    price: `0.0${(placed % 3) + 1}00`,
    count: '1.00',
    time_in_force: 'good_till_canceled',
    self_trade_prevention_type: 'taker_at_cross',
  });
  expect(response.status).toBe(201);
}

async function differencesOf(ticker: string, followed: FollowedMarket): Promise<string[]> {
  const theirs = await adapter.getOrderBook(ticker);
  const ours = followed.getBook();
  return ours ? differences(ours.book, theirs) : ['stale'];
}

describe('followed books', () => {
  it('given lost, doubled and reordered messages, equal the exchange’s after each', async () => {
    const followed = new Map(tickers.map((ticker) => [ticker, follow(ticker)]));
    const areCurrent = () => [...followed.values()].every((one) => one.getBook() !== undefined);
    await expect.poll(areCurrent).toBe(true);
    repairs.length = 0;
    for (let round = 0; round * 3 < FAULTS; round += 1) {
      // Simulated traders act in between; while the clock stands, only this test changes books.
      if (round % 50 === 0) await exchange.control('clock', { run: true });
      if (round % 50 === 0) await exchange.control('clock', { freeze: true });
      const ticker = tickers[round % tickers.length] ?? BUSY_TICKER;
      await exchange.control('faults', { socketDrop: 1, socketDuplicate: 1, socketSwap: 1 });
      for (let change = 0; change < 4; change += 1) await changeBook(ticker);
      const compared = round % 50 === 49 ? tickers : [ticker];
      for (const one of compared) {
        const market = followed.get(one);
        if (!market) continue;
        // A frame may still be on its way. A book that is wrong stays so until a probe, which says so.
        await expect.poll(() => differencesOf(one, market), { interval: 2 }).toEqual([]);
      }
    }
    const count = (reason: string) => repairs.filter((one) => one.reason === reason).length;
    expect(count('gap')).toBeGreaterThanOrEqual(FAULTS / 3);
    expect(count('wrong') + count('corrupt')).toBe(0);
    for (const one of followed.values()) one.stop();
  });

  it('given a silent socket, are stale within five seconds and complete again afterwards', async () => {
    const followed = follow(BUSY_TICKER);
    await expect.poll(() => followed.getBook()).toBeDefined();
    await exchange.control('faults', { socketSilent: true });
    const silentAt = performance.now();
    await expect.poll(() => followed.getBook(), { interval: 20 }).toBe(undefined);
    expect(performance.now() - silentAt).toBeLessThan(5_000);
    expect(followed.updates.at(-1)).toEqual({ kind: 'stale' });
    await exchange.control('faults', { clear: true });
    await expect.poll(() => differencesOf(BUSY_TICKER, followed)).toEqual([]);
    followed.stop();
  });

  it('given a lost last message, notices by the next probe', async () => {
    const followed = follow(BUSY_TICKER);
    await expect.poll(() => followed.getBook()).toBeDefined();
    await exchange.control('clock', { freeze: true });
    await exchange.control('faults', { socketDrop: 1 });
    await changeBook(BUSY_TICKER);
    await expect.poll(() => differencesOf(BUSY_TICKER, followed), { timeout: 5_000 }).toEqual([]);
    followed.stop();
  });

  it('are added and left one by one, on one connection', async () => {
    const [first = '', second = ''] = tickers;
    const one = follow(first);
    await expect.poll(() => one.getBook()).toBeDefined();
    const other = follow(second);
    const again = follow(second);
    await expect.poll(() => other.getBook()).toBeDefined();
    one.stop();
    other.stop();
    expect(one.getBook()).toBe(undefined);
    await changeBook(second);
    await expect.poll(() => again.updates.some((update) => update.kind === 'level')).toBe(true);
    again.stop();
    expect(again.getBook()).toBe(undefined);
  });

  it.each([
    ['one after the other', true],
    ['at once', false],
  ])(
    'given more markets than a subscription may have, %s, are followed over several',
    async (_, waitsFirst) => {
      await exchange.control('limits', { marketsPerSubscription: 1 });
      // It has not learnt the limit yet.
      const fresh = createAdapter();
      const followed: [string, FollowedMarket][] = [];
      for (const ticker of tickers) {
        const market = fresh.followMarket(ticker, () => undefined);
        followed.push([ticker, market]);
        if (waitsFirst) await expect.poll(() => market.getBook()).toBeDefined();
      }
      expect(followed.length).toBeGreaterThan(2);
      for (const [ticker, market] of followed) {
        await expect.poll(() => market.getBook()).toBeDefined();
        await changeBook(ticker);
        await expect.poll(() => differencesOf(ticker, market), { timeout: 5_000 }).toEqual([]);
      }
      for (const [, market] of followed) market.stop();
      await exchange.control('limits', { marketsPerSubscription: 1_000 });
    },
  );

  it('report trades and prices of followed markets', async () => {
    const followed = follow(BUSY_TICKER);
    await expect.poll(() => followed.getBook()).toBeDefined();
    const outcome = await adapter.placeOrder({
      clientOrderId: randomUUID(),
      ticker: BUSY_TICKER,
      shard: 0,
      action: 'buy',
      side: 'yes',
      contractMicros: 2_000_000n,
      limitPriceMicros: 990_000n,
      storedAt: new Date(),
      mayBeSent: async () => true,
    });
    expect(outcome.kind).toBe('done');
    const kinds = () => new Set(followed.updates.map((update) => update.kind));
    await expect.poll(kinds).toContain('trade');
    await expect.poll(kinds).toContain('prices');
    const trade = followed.updates.find((update) => update.kind === 'trade')?.trade;
    expect(trade).toMatchObject({ ticker: BUSY_TICKER, takerSide: expect.any(String) });
    followed.stop();
  });
});
