'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pageFeed } from './liveFeed.ts';
import { useSite } from './SiteProvider.tsx';

/** Keeps the prices of these markets moving in the query cache while the caller is on the page. */
export function useLiveMarkets(tickers: readonly string[]): void {
  const { apiKey } = useSite();
  const cache = useQueryClient();
  const wanted = tickers.join(',');
  useEffect(() => {
    if (wanted === '') return;
    return pageFeed(apiKey, cache).follow(wanted.split(','));
  }, [apiKey, cache, wanted]);
}

/** Keeps the visitor's orders moving in the query cache while someone is signed in. */
export function useLiveOrders(isSignedIn: boolean): void {
  const { apiKey } = useSite();
  const cache = useQueryClient();
  useEffect(() => {
    if (!isSignedIn) return;
    return pageFeed(apiKey, cache).followOrders();
  }, [apiKey, cache, isSignedIn]);
}
