import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { events, markets } from '#server/platform/database/schema/markets.ts';
import { aggregatesOfRows } from './eventAggregates.ts';
import type { EventRow, MarketRow } from './rows.ts';
import { insert, type LaidOut, layOut, overwrite, upsert } from './upsert.ts';

/** Rows of one statement with their wire encoding. */
export type Portion<Row> = { rows: readonly Row[]; laid: LaidOut };

export function portionOfEvents(rows: readonly EventRow[]): Portion<EventRow> {
  return { rows, laid: layOut(events, 'ticker', rows) };
}

export function portionOfMarkets(rows: readonly MarketRow[]): Portion<MarketRow> {
  return { rows, laid: layOut(markets, 'ticker', rows) };
}

export async function upsertEvents(
  db: Queryable,
  { rows, laid }: Portion<EventRow>,
): Promise<void> {
  const sums = aggregatesOfRows(rows.map((row) => row.ticker));
  await upsert(db, events, 'ticker', laid, eventChanges(), sums);
}

/** Fails as a whole when one of the rows exists. */
export async function insertMarkets(db: Queryable, { laid }: Portion<MarketRow>): Promise<void> {
  await insert(db, markets, laid);
}

export async function upsertMarkets(
  db: Queryable,
  { rows, laid }: Portion<MarketRow>,
  pushed: ReadonlySet<string>,
): Promise<void> {
  const kept = rows.map((row) => row.ticker).filter((ticker) => pushed.has(ticker));
  const changes =
    kept.length === 0 ? marketChanges() : { ...marketChanges(), ...storedPrices(kept) };
  await upsert(db, markets, 'ticker', laid, changes);
}

/** Keeps the columns that are read from other sources. */
function eventChanges(): Record<string, SQL> {
  return {
    ...overwrite(events, ['ticker', 'metadata', 'metadataReadAt', 'search']),
    // Only a page that writes all of its markets sets the hash.
    listingHash: sql`null`,
  };
}

const PRICES = [
  'yesBidMicros',
  'yesAskMicros',
  'lastPriceMicros',
  'volumeContractMicros',
  'volume24hContractMicros',
  'openInterestContractMicros',
] as const;

/** Keeps the stored prices of some rows, so the page's prices are discarded. */
function storedPrices(tickers: readonly string[]): Record<string, SQL> {
  const isStored = isOneOf(markets.ticker, tickers);
  const kept: Record<string, SQL> = {
    contentHash: sql`case when ${isStored} then null else excluded.content_hash end`,
  };
  for (const name of PRICES) {
    const column = sql.identifier(markets[name].name);
    kept[name] = sql`case when ${isStored} then markets.${column} else excluded.${column} end`;
  }
  return kept;
}

/**
 * The cash of a whole book outranks the listing's estimate. A final payout stays final: a record
 * without one does not remove it.
 */
function marketChanges(): Record<string, SQL> {
  const losesResult = sql`markets.payout_yes_micros is not null and excluded.payout_yes_micros is null`;
  const unlessLost = (column: string) =>
    sql`case when ${losesResult} then markets.${sql.identifier(column)} else excluded.${sql.identifier(column)} end`;
  return {
    ...overwrite(markets, ['ticker', 'yesTokenId', 'noTokenId', 'historyReadAt']),
    status: unlessLost('status'),
    result: unlessLost('result'),
    payoutYesMicros: unlessLost('payout_yes_micros'),
    settledAt: unlessLost('settled_at'),
    finalSeenAt: sql`case
      when excluded.payout_yes_micros is not null
        and markets.payout_yes_micros is distinct from excluded.payout_yes_micros
      then excluded.final_seen_at else markets.final_seen_at end`,
    liquidityUsdcMicros: sql`case when excluded.status <> 'open' then 0
      else greatest(markets.liquidity_usdc_micros, excluded.liquidity_usdc_micros) end`,
  };
}
