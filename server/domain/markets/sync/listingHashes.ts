import { sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { events } from '#server/platform/database/schema/markets.ts';
import { parts } from './chunks.ts';

/**
 * An event whose markets were compared with the mirror: its hash at that time, and its hash once
 * the page is written. Null when the page does not list all of its markets.
 */
export type ListingHash = { ticker: string; before: string | null; whole: string | null };

/**
 * Records that events and markets are stored as a page lists them. Skips an event that changed
 * since the comparison, which shows in its hash or, for pushed prices, in the market's hash.
 */
export async function storeListingHashes(
  db: Queryable,
  marks: readonly ListingHash[],
): Promise<void> {
  for (const part of parts(marks)) {
    const texts = (name: keyof ListingHash) => sql.param(part.map((mark) => mark[name]));
    await db.execute(sql`
      update events e
      set listing_hash = case
        when e.listing_hash is not distinct from f.before and f.is_sure then f.whole end
      from (
        select *, (select count(*) from markets m
          where m.event_ticker = f.ticker and m.content_hash is null) = 0 as is_sure
        from unnest(${texts('ticker')}::text[], ${texts('before')}::text[],
          ${texts('whole')}::text[]) as f(ticker, before, whole)
      ) f
      where e.ticker = f.ticker and (e.listing_hash is not null
        or (f.before is null and f.is_sure and f.whole is not null))`);
  }
}

/**
 * Records that markets of these events were written from another source. The value is unique, so
 * that a page that was compared earlier does not mark the event as its own.
 */
export async function invalidateListingHashes(
  db: Queryable,
  eventTickers: readonly string[],
): Promise<void> {
  if (eventTickers.length === 0) return;
  await db.execute(sql`
    update events set listing_hash = gen_random_uuid()::text
    where ${isOneOf(events.ticker, [...new Set(eventTickers)])}`);
}
