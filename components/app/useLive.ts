import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LiveFeed } from '#lib/browser/live/liveFeed.ts';
import { useSite } from './SiteProvider.tsx';

export function useLiveMarkets(tickers: readonly string[]): void {
  const { apiKey } = useSite();
  const cache = useQueryClient();
  const wanted = tickers.join(',');
  useEffect(() => {
    if (wanted === '') return;
    return onceLoaded(apiKey, cache, (feed) => feed.follow(wanted.split(',')));
  }, [apiKey, cache, wanted]);
}

export function useLiveOrders(isSignedIn: boolean): void {
  const { apiKey } = useSite();
  const cache = useQueryClient();
  useEffect(() => {
    if (!isSignedIn) return;
    return onceLoaded(apiKey, cache, (feed) => feed.followOrders());
  }, [apiKey, cache, isSignedIn]);
}

/** Follows the book and the trades of a market; their queries have every change. */
export function useLiveBook(ticker: string, isEnabled: boolean): void {
  const { apiKey } = useSite();
  const cache = useQueryClient();
  useEffect(() => {
    if (!isEnabled) return;
    let stop: (() => void) | undefined;
    let hasLeft = false;
    import('./bookFeed.ts').then(
      ({ followBook }) => {
        if (!hasLeft) stop = followBook(apiKey, cache, ticker);
      },
      () => undefined,
    );
    return () => {
      hasLeft = true;
      stop?.();
    };
  }, [apiKey, cache, ticker, isEnabled]);
}

/** The stream loads after the page, whose first view does not need it; until then queries poll. */
function onceLoaded(
  apiKey: string,
  cache: QueryClient,
  follow: (feed: LiveFeed) => () => void,
): () => void {
  let stop: (() => void) | undefined;
  let hasLeft = false;
  import('./liveFeed.ts').then(
    ({ pageFeed }) => {
      if (!hasLeft) stop = follow(pageFeed(apiKey, cache));
    },
    () => undefined,
  );
  return () => {
    hasLeft = true;
    stop?.();
  };
}
