import { LRUCache } from 'lru-cache';
import type { MarketFeed } from '../../domain/markets/catalogue/changes/marketFeed.ts';
import { CachedResponse } from './cachedResponse.ts';

/** What a response is about: one market, or lists that change with any of them. */
export type About = { ticker: string } | 'catalogue';

/** Responses that are the same for every caller, until the markets they are about are written. */
export type ResponseCache = {
  /** The response, if it is known and still holds. */
  find(key: string): CachedResponse | undefined;
  /** Makes it, once for all who ask meanwhile, and keeps it if that is safe. */
  make(key: string, about: About, json: () => Promise<string>): Promise<CachedResponse>;
};

/** What was written without the feed noticing is seen after this time. */
const OLDEST_MS = 5_000;
/** Lists change with every market; they are made anew at most this often. */
const LIST_HOLDS_MS = 1_000;
const MOST_BYTES = 64 * 1024 * 1024;

type Entry = { about: About; version: number; readAt: number; response: CachedResponse };

export function createResponseCache(
  feed: MarketFeed,
  options: { mostBytes?: number } = {},
): ResponseCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: options.mostBytes ?? MOST_BYTES,
    sizeCalculation: ({ response }) => response.weight,
  });
  const making = new Map<string, Promise<CachedResponse>>();

  feed.onChange((changed) => {
    // What is being made may have been read before the change: it is sent and not kept.
    making.clear();
    const tickers = changed === 'everything' ? undefined : new Set(changed);
    for (const [key, { about }] of entries.entries()) {
      if (about !== 'catalogue' && tickers?.has(about.ticker) !== false) entries.delete(key);
    }
  });

  function holds({ about, version, readAt }: Entry): boolean {
    const age = performance.now() - readAt;
    if (age > OLDEST_MS) return false;
    return about !== 'catalogue' || version === feed.version() || age < LIST_HOLDS_MS;
  }

  return {
    find(key) {
      if (!feed.isCurrent()) return undefined;
      const entry = entries.get(key);
      return entry && holds(entry) ? entry.response : undefined;
    },
    async make(key, about, json) {
      const underWay = making.get(key);
      if (underWay) return await underWay;
      const version = feed.version();
      const readAt = performance.now();
      const made = json().then((text) => new CachedResponse(text));
      making.set(key, made);
      try {
        const response = await made;
        const isUntouched = about === 'catalogue' || making.get(key) === made;
        if (isUntouched && feed.isCurrent()) entries.set(key, { about, version, readAt, response });
        return response;
      } finally {
        if (making.get(key) === made) making.delete(key);
      }
    },
  };
}
