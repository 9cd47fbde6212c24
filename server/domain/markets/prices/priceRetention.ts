import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';

/** So long every recorded price is kept; of older days, one each. */
const KEPT_DAYS = 45;
/** Earlier versions wrote into one table; it is emptied so many rows at a time. */
const MOVED_AT_ONCE = 20_000;

/** Makes the partitions of the coming weeks and drops those that are too old. */
export async function keepPricePartitions(database: Database): Promise<void> {
  await database.orm.execute(sql`select keep_price_partitions(${KEPT_DAYS}::int)`);
}

/**
 * Moves prices that were written by an earlier version; answers how many. Those that this version
 * recorded for the same minute stand.
 */
export async function moveEarlierPrices(database: Database): Promise<number> {
  const { rows } = await database.orm.execute<{ moved: number }>(sql`
    with taken as (
      delete from price_history where ctid = any(array(
        select ctid from price_history limit ${MOVED_AT_ONCE}::int))
      returning ticker, at, yes_bid_micros, yes_ask_micros, last_price_micros,
        volume_contract_micros
    ), moved as (
      insert into price_points (ticker, at, yes_bid_micros, yes_ask_micros, last_price_micros,
        volume_contract_micros)
      select * from taken on conflict do nothing
    )
    select count(*)::int as moved from taken`);
  return rows[0]?.moved ?? 0;
}
