import { useSyncExternalStore } from 'react';
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

/** The latest market, if it differs from the server's rendering; the first response rarely does. */
function updateFor(view: MarketView): Market | undefined {
  const market = latest.get(view.ticker);
  return market && hasChanged(view, market) ? market : undefined;
}

/** The market as the server rendered it, with later updates applied. */
export function useLiveMarket(view: MarketView): MarketView {
  const market = useSyncExternalStore(
    (notify) => follow(view.ticker, notify),
    () => updateFor(view),
    () => undefined,
  );
  return withFresh(view, market);
}
