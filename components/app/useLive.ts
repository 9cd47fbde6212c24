import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSite } from './SiteProvider.tsx';

export function useLiveMarkets(tickers: readonly string[]): void {
  const { apiKey } = useSite();
  const cache = useQueryClient();
  const wanted = tickers.join(',');
  useEffect(() => {
    if (wanted === '') return;
    return onceLoaded(({ pageFeed }) => pageFeed(apiKey, cache).follow(wanted.split(',')));
  }, [apiKey, cache, wanted]);
}

/** Book, trades and prices of a market as they change, once it is enabled. */
export function useLiveBook(ticker: string, isEnabled: boolean): void {
  const { apiKey } = useSite();
  const cache = useQueryClient();
  useEffect(() => {
    if (!isEnabled) return;
    return onceLoaded(({ followBook }) => followBook(apiKey, cache, ticker));
  }, [apiKey, cache, ticker, isEnabled]);
}

export function useLiveOrders(isSignedIn: boolean): void {
  const { apiKey } = useSite();
  const cache = useQueryClient();
  useEffect(() => {
    if (!isSignedIn) return;
    return onceLoaded(({ pageFeed }) => pageFeed(apiKey, cache).followOrders());
  }, [apiKey, cache, isSignedIn]);
}

/** The stream loads after the page, whose first view does not need it; until then queries poll. */
function onceLoaded(follow: (feeds: typeof import('./liveFeed.ts')) => () => void): () => void {
  let stop: (() => void) | undefined;
  let hasLeft = false;
  import('./liveFeed.ts').then(
    (feeds) => {
      if (!hasLeft) stop = follow(feeds);
    },
    () => undefined,
  );
  return () => {
    hasLeft = true;
    stop?.();
  };
}
