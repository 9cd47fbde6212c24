import { sql } from 'drizzle-orm';
import type { CatalogueChange } from '#server/exchange/catalogue.ts';
import type { Database } from '#server/platform/database/client.ts';
import { recordMarketChanges } from '../catalogue/changes/noteChanges.ts';
import { parts } from './chunks.ts';

export type PriceChange = Extract<CatalogueChange, { kind: 'prices' }>;

/**
 * Writes the newest prices of many markets in one statement, and a point of history where the price
 * changed: at most one per market and minute. Returns the events of the markets.
 */
export async function savePrices(database: Database, changes: PriceChange[]): Promise<string[]> {
  const touched = new Set<string>();
  for (const part of parts(changes)) {
    const result = await database.orm.execute<{ ticker: string; event_ticker: string }>(sql`
      with fresh as (
        select * from unnest(
          ${textArray(part.map((change) => change.ticker))}::text[],
          ${numberArray(part.map((change) => change.yesBidMicros))}::bigint[],
          ${numberArray(part.map((change) => change.yesAskMicros))}::bigint[],
          ${numberArray(part.map((change) => change.lastPriceMicros))}::bigint[],
          ${numberArray(part.map((change) => change.volumeContractMicros ?? null))}::bigint[],
          ${numberArray(part.map((change) => change.openInterestContractMicros ?? null))}::bigint[]
        ) as f(ticker, yes_bid, yes_ask, last_price, volume, open_interest)
      ), moved as (
        select f.*, greatest(f.volume - m.volume_contract_micros, 0) as traded
        from fresh f join markets m on m.ticker = f.ticker
        where m.status = 'open' and (
          m.yes_bid_micros is distinct from f.yes_bid
          or m.yes_ask_micros is distinct from f.yes_ask
          or m.last_price_micros is distinct from coalesce(f.last_price, m.last_price_micros)
          or m.volume_contract_micros is distinct from coalesce(f.volume, m.volume_contract_micros))
      ), history as (
        insert into price_points
          (ticker, at, yes_bid_micros, yes_ask_micros, last_price_micros, volume_contract_micros)
        select ticker, date_trunc('minute', now()), yes_bid, yes_ask, last_price, coalesce(traded, 0)
        from moved
        on conflict (ticker, at) do update set
          yes_bid_micros = excluded.yes_bid_micros, yes_ask_micros = excluded.yes_ask_micros,
          last_price_micros = coalesce(excluded.last_price_micros, price_points.last_price_micros),
          volume_contract_micros =
            price_points.volume_contract_micros + excluded.volume_contract_micros
      ), not_as_listed as (
        update events e set listing_hash = null
        from (select distinct m.event_ticker from moved f join markets m on m.ticker = f.ticker) t
        where e.ticker = t.event_ticker and e.listing_hash is not null
      )
      update markets m set
        yes_bid_micros = f.yes_bid, yes_ask_micros = f.yes_ask,
        last_price_micros = coalesce(f.last_price, m.last_price_micros),
        volume_contract_micros = coalesce(f.volume, m.volume_contract_micros),
        volume_24h_contract_micros = m.volume_24h_contract_micros + coalesce(f.traded, 0),
        open_interest_contract_micros = coalesce(f.open_interest, m.open_interest_contract_micros),
        content_hash = null
      from moved f where m.ticker = f.ticker
      returning m.ticker, m.event_ticker`);
    for (const row of result.rows) touched.add(row.event_ticker);
    if (result.rows.length > 0) {
      await recordMarketChanges(
        database.orm,
        result.rows.map((row) => row.ticker),
      );
    }
  }
  return [...touched];
}

function textArray(items: string[]) {
  return sql.param(items);
}

function numberArray(items: (bigint | null)[]) {
  return sql.param(items.map((item) => item?.toString() ?? null));
}
