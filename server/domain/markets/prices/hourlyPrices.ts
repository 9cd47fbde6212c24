import { sql } from 'drizzle-orm';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { pricePoints } from '#server/platform/database/schema/markets.ts';
import type { Log } from '#server/platform/log.ts';
import type { HourPrice } from '../catalogue/types.ts';
import { type HourlyPriceBackfill, requestHours } from './hourlyPriceBackfill.ts';
import { HOUR_MS, hoursThrough } from './hours.ts';

type Deps = { database: Database; exchange: Exchange; log: Log };

/** Prices at each hour, the oldest first; undefined where none was known yet. */
export type HourlyPrices = (HourPrice | undefined)[];

/** Markets kept in memory; more than are on the lists that people look at within an hour. */
const MAX_STORED = 4_000;

/** What was read for this hour; it stands until the next one is full. */
type Stored = { hourMs: number; recorded: Map<string, HourlyPrices>; told: HourlyPriceBackfill };

const keptOf = new WeakMap<Database, Stored>();

/**
 * What markets cost at each of the last 24 full hours. One statement for all that have not been
 * asked about within this hour, none when all have. What the exchange knows of the time before
 * anything was recorded is fetched meanwhile, for the next who asks.
 */
export async function readHourlyPrices(
  deps: Deps,
  tickers: readonly string[],
  nowMs: number,
): Promise<Map<string, HourlyPrices>> {
  const kept = keptFor(deps.database, nowMs);
  const hours = hoursThrough(kept.hourMs);
  const missing = tickers.filter((ticker) => !kept.recorded.has(ticker));
  if (missing.length > 0) {
    const read = await readRecordedHours(deps, missing, hours);
    for (const [ticker, prices] of read) kept.recorded.set(ticker, prices);
  }
  const response = new Map<string, HourlyPrices>();
  const unknown: string[] = [];
  for (const ticker of tickers) {
    const recorded = kept.recorded.get(ticker) ?? [];
    const told = kept.told.hoursOf(ticker);
    if (recorded[0] === undefined && told === undefined) unknown.push(ticker);
    response.set(
      ticker,
      told ? recorded.map((price, index) => price ?? told.get(hours[index] ?? 0)) : recorded,
    );
  }
  if (unknown.length > 0) kept.told.ask(deps, unknown, hours);
  return response;
}

function keptFor(database: Database, nowMs: number): Stored {
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const before = keptOf.get(database);
  if (before?.hourMs === hourMs && before.recorded.size < MAX_STORED) return before;
  const told = before && before.told.size() < MAX_STORED ? before.told : requestHours();
  const kept = { hourMs, recorded: new Map(), told };
  keptOf.set(database, kept);
  return kept;
}

/**
 * The last recorded price of each hour, by one look into the index for each. A price is recorded
 * when it changes: an hour without one is like the hour before.
 */
export async function readRecordedHours(
  deps: { database: Database },
  tickers: readonly string[],
  hours: readonly number[],
): Promise<Map<string, HourlyPrices>> {
  const until = sql.param(hours.map((hour) => new Date(hour).toISOString()));
  // The first looks back as far as there is anything; bounds keep the others in one partition.
  const after = sql.param(
    hours.map((hour, index) =>
      index === 0 ? '-infinity' : new Date(hour - HOUR_MS).toISOString(),
    ),
  );
  const { rows } = await deps.database.orm.execute<Row>(sql`
    select asked.ticker, hour.place::int as place, h.yes_bid_micros::text as bid,
      h.yes_ask_micros::text as ask, h.last_price_micros::text as last
    from unnest(${sql.param(tickers)}::text[]) as asked(ticker)
    cross join unnest(${after}::timestamptz[], ${until}::timestamptz[])
      with ordinality as hour(after, until, place)
    join lateral (
      select p.yes_bid_micros, p.yes_ask_micros, p.last_price_micros from ${pricePoints} p
      where p.ticker = asked.ticker and p.at > hour.after and p.at <= hour.until
      order by p.at desc limit 1) h on true`);
  const found = new Map<string, HourlyPrices>(
    tickers.map((ticker) => [ticker, hours.map(() => undefined)]),
  );
  for (const row of rows) {
    const prices = found.get(row.ticker);
    if (prices) prices[row.place - 1] = priceOf(row);
  }
  for (const prices of found.values()) carryOn(prices);
  return found;
}

type Row = {
  ticker: string;
  place: number;
  bid: string | null;
  ask: string | null;
  last: string | null;
};

function priceOf({ bid, ask, last }: Row): HourPrice {
  return {
    yesBidMicros: microsOf(bid),
    yesAskMicros: microsOf(ask),
    lastPriceMicros: microsOf(last),
  };
}

function microsOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}

function carryOn(prices: HourlyPrices): void {
  let last: HourPrice | undefined;
  for (let index = 0; index < prices.length; index += 1) {
    last = prices[index] ?? last;
    prices[index] = last;
  }
}
