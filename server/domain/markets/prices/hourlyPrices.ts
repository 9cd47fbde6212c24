import { sql } from 'drizzle-orm';
import type { Exchange } from '#server/exchange/port.ts';
import type { Database } from '#server/platform/database/client.ts';
import { pricePoints } from '#server/platform/database/schema/markets.ts';
import type { Log } from '#server/platform/log.ts';
import type { HourPrice } from '../catalogue/types.ts';
import { type HourlyPriceBackfill, requestHours } from './hourlyPriceBackfill.ts';
import { HOUR_MS, hoursThrough } from './hours.ts';

type Deps = { database: Database; exchange: Exchange; log: Log };

/** Prices at each hour, oldest first; undefined before the first known price. */
export type HourlyPrices = (HourPrice | undefined)[];

/** Markets kept in memory; more than all lists show within an hour. */
const MAX_STORED = 4_000;

/** The values read for this hour; valid until the next hour is complete. */
type Stored = {
  hourMs: number;
  recorded: Map<string, HourlyPrices>;
  received: HourlyPriceBackfill;
};

const keptOf = new WeakMap<Database, Stored>();

/**
 * Prices of markets at each of the last 24 full hours. One statement for all markets that were not
 * requested within this hour, none otherwise. Earlier hours are fetched from the exchange in the
 * background for the next request.
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
    const received = kept.received.hoursOf(ticker);
    if (recorded[0] === undefined && received === undefined) unknown.push(ticker);
    response.set(
      ticker,
      received
        ? recorded.map((price, index) => price ?? received.get(hours[index] ?? 0))
        : recorded,
    );
  }
  if (unknown.length > 0) kept.received.ask(deps, unknown, hours);
  return response;
}

function keptFor(database: Database, nowMs: number): Stored {
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const before = keptOf.get(database);
  if (before?.hourMs === hourMs && before.recorded.size < MAX_STORED) return before;
  const received = before && before.received.size() < MAX_STORED ? before.received : requestHours();
  const kept = { hourMs, recorded: new Map(), received };
  keptOf.set(database, kept);
  return kept;
}

/**
 * The last recorded price of each hour, by one index lookup per hour. A price is recorded when it
 * changes, so an hour without one equals the hour before.
 */
export async function readRecordedHours(
  deps: { database: Database },
  tickers: readonly string[],
  hours: readonly number[],
): Promise<Map<string, HourlyPrices>> {
  const until = sql.param(hours.map((hour) => new Date(hour).toISOString()));
  // The first lookup is unbounded; the bounds keep the others within one partition.
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
