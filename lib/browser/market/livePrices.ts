import { useDeferredValue, useSyncExternalStore } from 'react';
import type { Market } from '#lib/api/schemas/market.ts';
import { hasChanged, type MarketView, withFresh } from '#lib/market/marketView.ts';

/** The markets that arrived since the page was rendered, by ticker. */
const latest = new Map<string, Market>();
const followers = new Map<string, Set<() => void>>();

/** Re-renders only the components that show these markets. */
export function publishMarkets(markets: readonly Market[]): void {
  for (const market of markets) {
    if (latest.get(market.ticker) === market) continue;
    latest.set(market.ticker, market);
    for (const notify of followers.get(market.ticker) ?? []) notify();
  }
}

/** A page rendered later is newer than the stored markets. */
export function clearMarkets(): void {
  latest.clear();
}

function follow(ticker: string, notify: () => void): () => void {
  const all = followers.get(ticker) ?? new Set();
  followers.set(ticker, all.add(notify));
  return () => {
    all.delete(notify);
    if (all.size === 0) followers.delete(ticker);
  };
}

/** What the parts of a row last saw: all of them ask about the same market, several times each. */
const seen = new WeakMap<MarketView, { market: Market; fresh: MarketView }>();

/** The view with the latest market; the same one while that changes nothing, as is usual at first. */
function latestOf(view: MarketView): MarketView {
  const market = latest.get(view.ticker);
  if (!market) return view;
  const last = seen.get(view);
  if (last?.market === market) return last.fresh;
  const known = last?.fresh ?? view;
  const fresh = hasChanged(known, market) ? withFresh(known, market) : known;
  seen.set(view, { market, fresh });
  return fresh;
}

/**
 * The market as the server rendered it, with later updates applied. Deferred: an answer about a
 * whole list changes many rows, and the page responds in between.
 */
export function useLiveMarket(view: MarketView): MarketView {
  const market = useSyncExternalStore(
    (notify) => follow(view.ticker, notify),
    () => latestOf(view),
    () => view,
  );
  return useDeferredValue(market);
}
