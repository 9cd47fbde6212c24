import type { QueryClient } from '@tanstack/react-query';
import { marketKeys } from '#lib/browser/queries/markets.ts';
import { FIRST_RANGE, type FirstReads } from '#lib/market/firstReads.ts';

/** Gives the page what came with it. What it knows already is newer, or as good. */
export function plantFirstReads(cache: QueryClient, reads: FirstReads): void {
  const { ticker } = reads.market.market;
  const planted = [
    [marketKeys.detail(ticker), reads.market],
    [marketKeys.orderBook(ticker), reads.orderBook],
    [marketKeys.trades(ticker), reads.trades],
    [marketKeys.priceHistory(ticker, FIRST_RANGE), reads.priceHistory],
  ] as const;
  // A browser's clock may be behind the server's.
  const updatedAt = Math.min(reads.atMs, Date.now());
  for (const [key, data] of planted) {
    if (data && cache.getQueryData(key) === undefined) cache.setQueryData(key, data, { updatedAt });
  }
}
