import { beforeScrape, counter, gauge } from './registry.ts';

const repairs = counter(
  'crossbook_live_book_repairs_total',
  'Times that followed books were read again: after a gap, a corrupt message, or a comparison.',
  ['reason'],
);

export function countBookRepair(reason: string): void {
  repairs.inc({ reason });
}

/** Counts the followed markets before each scrape. */
export function watchFollowedMarkets(count: () => number): void {
  const followed = gauge(
    'crossbook_followed_markets',
    'Markets whose live book this process follows at the exchange.',
  );
  beforeScrape(async () => followed.set(count()));
}
