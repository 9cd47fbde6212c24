'use client';

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LiveFeed } from '#lib/browser/live/liveFeed.ts';
import { whenIdle } from '#lib/browser/whenIdle.ts';
import { useSite } from './SiteProvider.tsx';

/** While what the page was opened for is fetched and drawn, the stream would come in its way. */
const NOT_BEFORE_MS = 500;

/** Keeps the prices of these markets moving in the query cache while the caller is on the page. */
export function useLiveMarkets(tickers: readonly string[]): void {
  const { apiKey } = useSite();
  const cache = useQueryClient();
  const wanted = tickers.join(',');
  useEffect(() => {
    if (wanted === '') return;
    return onceLoaded(apiKey, cache, (feed) => feed.follow(wanted.split(',')));
  }, [apiKey, cache, wanted]);
}

/** Keeps the visitor's orders moving in the query cache while someone is signed in. */
export function useLiveOrders(isSignedIn: boolean): void {
  const { apiKey } = useSite();
  const cache = useQueryClient();
  useEffect(() => {
    if (!isSignedIn) return;
    return onceLoaded(apiKey, cache, (feed) => feed.followOrders());
  }, [apiKey, cache, isSignedIn]);
}

/**
 * Follows the page's stream, which is loaded after the page: nobody needs it for a first look.
 * Without it queries ask in short intervals.
 */
function onceLoaded(
  apiKey: string,
  cache: QueryClient,
  follow: (feed: LiveFeed) => () => void,
): () => void {
  let stop: (() => void) | undefined;
  let hasLeft = false;
  const stopWaiting = whenIdle(() => {
    import('./liveFeed.ts').then(
      ({ pageFeed }) => {
        if (!hasLeft) stop = follow(pageFeed(apiKey, cache));
      },
      () => undefined,
    );
  }, NOT_BEFORE_MS);
  return () => {
    hasLeft = true;
    stopWaiting();
    stop?.();
  };
}
