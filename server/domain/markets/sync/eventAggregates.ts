import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { markets } from '#server/platform/database/schema/markets.ts';
import { MARKET_STATUSES, statusBit } from '../catalogue/statusMask.ts';
import { parts } from './chunks.ts';
import type { Computed } from './upsert.ts';

/** Aggregates that an event publishes about its markets. */

/** Recomputes the aggregates of events from their markets; unchanged events are not written. */
export async function renewEventAggregates(
  db: Queryable,
  tickers: readonly string[],
): Promise<void> {
  for (const part of parts(tickers)) {
    await db.execute(sql`
      update events e set
        total_market_count = s.total, active_market_count = s.active,
        volume_contract_micros = s.volume, volume_24h_contract_micros = s.volume_24h,
        liquidity_usdc_micros = s.liquidity, newest_at = s.newest, closes_next_at = s.closes_next,
        status_mask = s.status_mask, ranked_at = clock_timestamp()
      from (${sumsOf(part)}) s
      where e.ticker = s.event_ticker and e.ticker = any(${sql.param(part)}::text[])
        and (e.total_market_count, e.active_market_count, e.volume_contract_micros,
          e.volume_24h_contract_micros, e.liquidity_usdc_micros, e.newest_at, e.closes_next_at,
          e.status_mask)
        is distinct from (s.total, s.active, s.volume, s.volume_24h, s.liquidity, s.newest,
          s.closes_next, s.status_mask)`);
  }
}

/** The aggregates as columns of an event upsert, so that each event's row is written once. */
export function aggregatesOfRows(tickers: readonly string[]): Computed {
  return {
    columns: {
      totalMarketCount: sql`coalesce(s.total, 0)`,
      activeMarketCount: sql`coalesce(s.active, 0)`,
      volumeContractMicros: sql`coalesce(s.volume, 0)`,
      volume24hContractMicros: sql`coalesce(s.volume_24h, 0)`,
      liquidityUsdcMicros: sql`coalesce(s.liquidity, 0)`,
      newestAt: sql`s.newest`,
      closesNextAt: sql`s.closes_next`,
      statusMask: sql`coalesce(s.status_mask, 0)`,
      rankedAt: sql`clock_timestamp()`,
    },
    join: sql`left join (${sumsOf(tickers)}) s on s.event_ticker = r.ticker`,
  };
}

function sumsOf(tickers: readonly string[]): SQL {
  const bits = MARKET_STATUSES.map((status) => sql`when ${status} then ${statusBit(status)}::int`);
  return sql`
    select event_ticker, count(*)::int as total,
      (count(*) filter (where status = 'open'))::int as active,
      sum(volume_contract_micros)::bigint as volume,
      sum(volume_24h_contract_micros)::bigint as volume_24h,
      sum(liquidity_usdc_micros)::bigint as liquidity,
      max(open_at) as newest,
      min(expected_end_at) filter (where status in ('open', 'paused')) as closes_next,
      bit_or(case status ${sql.join(bits, sql` `)} else 0 end) as status_mask
    from markets where ${isOneOf(markets.eventTicker, tickers)} group by event_ticker`;
}
