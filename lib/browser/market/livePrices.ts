import { useSyncExternalStore } from 'react';
import type { Market } from '#lib/api/schemas/market.ts';
import { isNews, type MarketView, withFresh } from '#lib/market/marketView.ts';

/** What has been heard of markets since the page came, by ticker. */
const heard = new Map<string, Market>();
const followers = new Map<string, Set<() => void>>();

/** Hands what is new to whoever shows these markets, and to nobody else. */
export function tellMarkets(markets: readonly Market[]): void {
  for (const market of markets) {
    if (heard.get(market.ticker) === market) continue;
    heard.set(market.ticker, market);
    for (const tell of followers.get(market.ticker) ?? []) tell();
  }
}

/** Forgets it all: a page that comes later knows better. */
export function forgetMarkets(): void {
  heard.clear();
}

function follow(ticker: string, tell: () => void): () => void {
  const all = followers.get(ticker) ?? new Set();
  followers.set(ticker, all.add(tell));
  return () => {
    all.delete(tell);
    if (all.size === 0) followers.delete(ticker);
  };
}

/** What has been heard, if it is other than what is shown: the first answer seldom is. */
function newsFor(view: MarketView): Market | undefined {
  const market = heard.get(view.ticker);
  return market && isNews(view, market) ? market : undefined;
}

/** The market as the server showed it, with what has been heard since. */
export function useLiveMarket(view: MarketView): MarketView {
  const market = useSyncExternalStore(
    (tell) => follow(view.ticker, tell),
    () => newsFor(view),
    () => undefined,
  );
  return withFresh(view, market);
}
