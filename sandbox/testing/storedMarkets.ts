import type { Database } from '#server/platform/database/client.ts';

/** Stores markets BENCH-1 and so on, four to an event, two of three of them open. */
export async function storeMarkets(database: Database, from: number, to: number): Promise<void> {
  await database.pool.query(
    `insert into markets (ticker, event_ticker, series_ticker, title, subtitle, yes_sub_title,
       no_sub_title, status, market_type, category, yes_token_id, no_token_id,
       liquidity_usdc_micros, volume_contract_micros, volume_24h_contract_micros,
       open_interest_contract_micros, created_at, updated_at, open_at, close_at, expiration_at,
       rules_primary, rules_secondary, icon_url_light_mode, icon_url_dark_mode,
       background_color_light_mode, background_color_dark_mode, synced_at)
     select 'BENCH-' || n, 'EVENT-' || n / 4, 'SERIES', 'Market ' || n, '', '', '',
       case when n % 3 = 0 then 'settled' else 'open' end, 'binary', 'Sports',
       '0x' || md5('y' || n) || md5('e' || n), '0x' || md5('n' || n) || md5('o' || n),
       0, (n::bigint * 7919) % 1000003 * 1000, 0, 0, now(), now(), now(),
       now() + interval '1 day', now(), '', '', '', '', '', '', now()
     from generate_series($1::int, $2::int) n`,
    [from, to],
  );
}
