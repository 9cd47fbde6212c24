import type { Database } from '#server/platform/database/client.ts';
import { listMarkets } from '../../markets/catalogue/catalogue.ts';
import type { MarketFeed } from '../../markets/catalogue/changes/marketFeed.ts';
import type { MarketRecord } from '../../markets/catalogue/types.ts';
import { StreamMessage } from './streamMessage.ts';

/** How often all markets are read, with and without a current feed of changes. */
const ALL_MARKETS_MS = 15_000;
const ALL_MARKETS_SILENT_MS = 1_500;
const PAGE = 500;

/** The followed markets that have changed, each with its message. */
export function createMarketTail(
  deps: { database: Database; feed: MarketFeed },
  describeMarket: (market: MarketRecord) => unknown,
  followers: { has(ticker: string): boolean; tickers(): string[] },
) {
  const sent = new Map<string, string>();
  let hasAllChanged = true;
  let changed = new Set<string>();
  let readAllAt = Number.NEGATIVE_INFINITY;

  deps.feed.onChange((tickers) => {
    if (tickers === 'everything') hasAllChanged = true;
    else for (const ticker of tickers) if (followers.has(ticker)) changed.add(ticker);
  });

  function takeWanted(): string[] {
    const everyMs = deps.feed.isCurrent() ? ALL_MARKETS_MS : ALL_MARKETS_SILENT_MS;
    const now = performance.now();
    const isAll = hasAllChanged || now - readAllAt >= everyMs;
    if (isAll) readAllAt = now;
    const wanted = isAll ? followers.tickers() : [...changed];
    hasAllChanged = false;
    changed = new Set();
    return wanted;
  }

  return {
    /** Forgets what was sent: the next read returns every followed market. */
    reset(): void {
      sent.clear();
      hasAllChanged = true;
    },
    async *next(): AsyncGenerator<{ ticker: string; message: StreamMessage }> {
      const wanted = takeWanted();
      for (let start = 0; start < wanted.length; start += PAGE) {
        const tickers = wanted.slice(start, start + PAGE);
        const { markets } = await listMarkets(deps, { tickers, limit: PAGE });
        for (const market of markets) {
          const text = JSON.stringify(describeMarket(market));
          if (sent.get(market.ticker) === text) continue;
          sent.set(market.ticker, text);
          yield { ticker: market.ticker, message: new StreamMessage('market', text) };
        }
      }
    },
  };
}
