import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { pricePoints } from '#server/platform/database/schema/markets.ts';

export type PastPrice = { yesBidMicros: bigint | null; yesAskMicros: bigint | null };

/**
 * For each market and time, the latest price recorded before it, or undefined. Recorded is the last
 * price of each minute, stamped with the start of the minute.
 */
export async function readPastPrices(
  deps: { database: Database },
  asked: readonly { ticker: string; at: Date }[],
): Promise<(PastPrice | undefined)[]> {
  if (asked.length === 0) return [];
  const tickers = sql.param(asked.map((one) => one.ticker));
  const moments = sql.param(asked.map((one) => one.at.toISOString()));
  const response = await deps.database.orm.execute<{
    place: string;
    bid: string | null;
    ask: string | null;
  }>(sql`
    select asked.place::text as place, h.yes_bid_micros::text as bid, h.yes_ask_micros::text as ask
    from unnest(${tickers}::text[], ${moments}::timestamptz[])
      with ordinality as asked(ticker, at, place)
    join lateral (
      select p.yes_bid_micros, p.yes_ask_micros from ${pricePoints} p
      where p.ticker = asked.ticker and p.at <= asked.at
      order by p.at desc limit 1) h on true`);
  const found = new Map(response.rows.map((row) => [Number(row.place), row]));
  return asked.map((_, index) => {
    const row = found.get(index + 1);
    return row && { yesBidMicros: microsOf(row.bid), yesAskMicros: microsOf(row.ask) };
  });
}

function microsOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
