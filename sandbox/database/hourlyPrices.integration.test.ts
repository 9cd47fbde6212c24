import { drizzle } from 'drizzle-orm/node-postgres';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { startMigratedDatabase } from '#sandbox/testing/migratedDatabase.ts';
import { type HourlyPrices, readHourlyPrices } from '#server/domain/markets/prices/hourlyPrices.ts';
import type { ExchangeCandle } from '#server/exchange/catalogue.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { createLog } from '#server/platform/log.ts';

/** Half past an hour, so that the last full one is clear. */
const NOW = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 1_800_000;
const FULL_HOUR = NOW - 1_800_000;
const log = createLog('test', 'silent');

let pool: Database['pool'];
let database: Database;
let statements = 0;
let calls: string[][] = [];
let candles: () => Promise<Map<string, ExchangeCandle[]>>;

const exchange = {
  catalogue: {
    listCandlesOf: ({ tickers }: { tickers: string[] }) => {
      calls.push(tickers);
      return candles();
    },
  },
} as unknown as Exchange;

beforeAll(async () => {
  const migrated = await startMigratedDatabase();
  pool = migrated.database.pool;
  return migrated.close;
});

/** A new object each: the cache belongs to it. */
beforeEach(() => {
  const logger = {
    logQuery: () => {
      statements += 1;
    },
  };
  database = { pool, orm: drizzle(pool, { logger }) };
  statements = 0;
  calls = [];
  candles = () => Promise.resolve(new Map<string, ExchangeCandle[]>());
});

/** Records a price so many minutes before now. */
async function record(ticker: string, minutesAgo: number, cents: number | null): Promise<void> {
  await database.pool.query(
    `insert into price_points (ticker, at, yes_bid_micros, yes_ask_micros, last_price_micros,
       volume_contract_micros) values ($1, $2, null, null, $3, 0)`,
    [ticker, new Date(NOW - minutesAgo * 60_000), cents === null ? null : cents * 10_000],
  );
}

const ask = (...tickers: string[]) => readHourlyPrices({ database, exchange, log }, tickers, NOW);
const cents = (prices: HourlyPrices | undefined) =>
  prices?.map((price) => (price?.lastPriceMicros ? Number(price.lastPriceMicros) / 10_000 : null));
const repeat = (count: number, value: number | null) => Array.from({ length: count }, () => value);

it('returns the last price of each full hour, carried forward without changes', async () => {
  await record('A', 3 * 24 * 60, 20);
  await record('A', 10 * 60 + 40, 29);
  await record('A', 10 * 60 + 31, 30);
  await record('A', 31, 50);
  // Later than the last full hour, which is still running.
  await record('A', 10, 99);
  await record('B', 35, 70);
  const prices = await ask('A', 'B');
  expect(cents(prices.get('A'))).toEqual([...repeat(13, 20), ...repeat(10, 30), 50]);
  expect(cents(prices.get('B'))).toEqual([...repeat(23, null), 70]);
});

it('given several markets, queries the database once per hour', async () => {
  await ask('A', 'B', 'C');
  await ask('C', 'A');
  expect(statements).toBe(1);
  await ask('A', 'D');
  expect(statements).toBe(2);
  await readHourlyPrices({ database, exchange, log }, ['A'], NOW + 3_600_000);
  expect(statements).toBe(3);
});

it('given missing hours before the first record, fetches them for the next request', async () => {
  await record('NEW', 40, 60);
  const at = (hoursAgo: number) => new Date(FULL_HOUR - hoursAgo * 3_600_000);
  const candle = (hoursAgo: number, price: bigint): ExchangeCandle => ({
    at: at(hoursAgo),
    yesBidMicros: null,
    yesAskMicros: null,
    lastPriceMicros: price * 10_000n,
    volumeContractMicros: 0n,
  });
  candles = () => Promise.resolve(new Map([['NEW', [candle(3, 41n), candle(2, 42n)]]]));
  expect(cents((await ask('NEW')).get('NEW'))).toEqual([...repeat(23, null), 60]);
  await expect
    .poll(async () => cents((await ask('NEW')).get('NEW')))
    .toEqual([...repeat(20, null), 41, 42, null, 60]);
  await ask('NEW');
  expect(calls).toEqual([['NEW']]);
});

it('given an unresponsive exchange, stops requesting', async () => {
  candles = () => Promise.reject(new Error('away'));
  await ask('GONE');
  await expect.poll(() => calls.length).toBe(1);
  await ask('GONE', 'OTHER');
  await ask('GONE');
  expect(calls).toHaveLength(1);
});
