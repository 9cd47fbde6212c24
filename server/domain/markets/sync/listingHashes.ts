import { sql } from 'drizzle-orm';
import type { Queryable } from '#server/platform/database/client.ts';
import { isOneOf } from '#server/platform/database/isOneOf.ts';
import { events } from '#server/platform/database/schema/markets.ts';
import { parts } from './chunks.ts';

/**
 * An event whose markets were compared with the mirror one by one: what its hash was then, and what
 * it is once the page is written. Null when the page does not list all that belongs to it.
 */
export type ListingHash = { ticker: string; before: string | null; whole: string | null };

/**
 * Notes that events and markets are stored as a page lists them. Not where somebody else wrote one
 * of them since they were compared, which shows in the hash or, when prices were pushed, in the
 * market's own.
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
 * Says that markets of these events were written in another way. A value that nobody has seen, so
 * that a page which was compared before does not take its own for true.
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
