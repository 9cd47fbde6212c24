import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { type IndexedEvent, SearchIndex } from './searchIndex.ts';

const EVENTS_A_READ = 2_000;
/** A younger index is used without a refresh. */
const FRESH_MS = 2_000;
const STALE_MS = 5_000;
/** Rows written during a read become visible with an earlier time; this much is read again. */
const OVERLAP_MS = 5_000;

type Fed = {
  index: SearchIndex;
  readAt: number;
  /** Time of the newest row read, unix milliseconds by the database's clock. */
  through: number | undefined;
  reading: Promise<void> | undefined;
};

const fedFrom = new WeakMap<Database, Fed>();

/**
 * The index of all events in the database, built at the first search and then updated with changes.
 * A search waits only for a new index, or for one that was idle for long.
 */
export async function freshIndex(database: Database): Promise<SearchIndex> {
  let fed = fedFrom.get(database);
  if (!fed) {
    fed = { index: new SearchIndex(), readAt: 0, through: undefined, reading: undefined };
    fedFrom.set(database, fed);
  }
  const age = performance.now() - fed.readAt;
  // The index is empty before the first sync; a later search must not return that.
  const isNew = fed.readAt === 0 || fed.index.size === 0;
  if (!fed.reading && (isNew || age > FRESH_MS)) {
    fed.reading = readChanges(database, fed);
    // A waiting caller receives the error; otherwise the next search retries.
    fed.reading.catch(() => undefined);
  }
  if (fed.reading && (isNew || age > STALE_MS)) await fed.reading;
  return fed.index;
}

async function readChanges(database: Database, fed: Fed): Promise<void> {
  const begun = performance.now();
  try {
    await readInto(database, fed);
    fed.readAt = begun;
  } finally {
    fed.reading = undefined;
  }
}

async function readInto(database: Database, fed: Fed): Promise<void> {
  const since = fed.through;
  let after = '';
  let newest = since;
  for (;;) {
    const { rows } = await database.orm.execute<EventRow>(sql`
      select e.ticker, e.series_ticker, e.title, e.subtitle, e.series_title, e.outcome_text,
        e.category, e.frequency, e.status_mask, e.active_market_count > 0 as is_open,
        e.volume_contract_micros::text as volume_micros,
        e.volume_24h_contract_micros::float8 / 1e6 as volume_24h,
        e.liquidity_usdc_micros::float8 / 1e6 as liquidity,
        extract(epoch from e.newest_at)::float8 * 1000 as newest_at,
        extract(epoch from e.closes_next_at)::float8 * 1000 as closes_next_at,
        extract(epoch from e.ranked_at)::float8 * 1000 as ranked_at, coalesce(s.tags, '[]'::jsonb) as tags
      from events e left join series s on s.ticker = e.series_ticker
      where e.ticker > ${after} and ${
        since === undefined
          ? sql`true`
          : sql`e.ranked_at > to_timestamp(${(since - OVERLAP_MS) / 1000}::float8)`
      }
      order by e.ticker limit ${EVENTS_A_READ}`);
    for (const row of rows) {
      fed.index.put(eventOf(row));
      newest = Math.max(newest ?? 0, row.ranked_at ?? 0);
    }
    const last = rows.at(-1);
    if (!last || rows.length < EVENTS_A_READ) break;
    after = last.ticker;
  }
  fed.through = newest;
}

type EventRow = {
  ticker: string;
  series_ticker: string;
  title: string;
  subtitle: string;
  series_title: string;
  outcome_text: string;
  category: string;
  frequency: string;
  status_mask: number;
  is_open: boolean;
  volume_micros: string;
  volume_24h: number;
  liquidity: number;
  newest_at: number | null;
  closes_next_at: number | null;
  ranked_at: number | null;
  tags: string[];
};

function eventOf(row: EventRow): IndexedEvent {
  return {
    ticker: row.ticker,
    seriesTicker: row.series_ticker,
    title: row.title,
    subtitle: row.subtitle,
    seriesTitle: row.series_title,
    outcomes: row.outcome_text,
    category: row.category,
    tags: row.tags,
    frequency: row.frequency,
    statusMask: row.status_mask,
    isOpen: row.is_open,
    volumeContractMicros: BigInt(row.volume_micros),
    volume: Number(row.volume_micros) / 1e6,
    volume24h: row.volume_24h,
    liquidity: row.liquidity,
    newestAt: row.newest_at ?? undefined,
    closesNextAt: row.closes_next_at ?? undefined,
  };
}
