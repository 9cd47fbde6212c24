import { useSyncExternalStore } from 'react';
import type { Market } from '#lib/api/schemas/market.ts';
import { hasChanged, type MarketView, withFresh } from '#lib/market/marketView.ts';

/** The markets that arrived since the page was rendered, by ticker. */
const latest = new Map<string, Market>();
const followers = new Map<string, Set<() => void>>();

/** Re-renders the components that show these markets, and no others. */
export function publishMarkets(markets: readonly Market[]): void {
  for (const market of markets) {
    if (latest.get(market.ticker) === market) continue;
    latest.set(market.ticker, market);
    for (const notify of followers.get(market.ticker) ?? []) notify();
  }
}

/** A page that is rendered later is newer than what is kept. */
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

/** The latest market, if it differs from what the server rendered: the first response seldom does. */
function updateFor(view: MarketView): Market | undefined {
  const market = latest.get(view.ticker);
  return market && hasChanged(view, market) ? market : undefined;
}

/** The market as the server rendered it, with what arrived since. */
export function useLiveMarket(view: MarketView): MarketView {
  const market = useSyncExternalStore(
    (notify) => follow(view.ticker, notify),
    () => updateFor(view),
    () => undefined,
  );
  return withFresh(view, market);
}
