import type { MarketFeed } from '../domain/markets/catalogue/changes/marketFeed.ts';
import { KeptResponse } from './keptAnswer.ts';
import type { ApiRequest } from './message.ts';

/** What an answer is about: one market, or lists that change with any of them. */
export type About = { ticker: string } | 'catalogue';

/** Answers that are the same for every caller, until the markets they are about are written. */
export type SharedResponses = {
  /** The answer, if it is known and still stands. */
  find(key: string): KeptResponse | undefined;
  /** Makes it, once for all who ask meanwhile, and keeps it if that is safe. */
  make(key: string, about: About, answer: () => Promise<string>): Promise<KeptResponse>;
};

/** Whatever is told: what was written and not noted is seen after this time. */
const OLDEST_MS = 5_000;
/** Lists change with every market; they are made anew so often at most. */
const LIST_STANDS_MS = 1_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** Names what a request asks for, alike for all who may ask. */
export function keyOfShared({ path, search }: Pick<ApiRequest, 'path' | 'search'>): string {
  return search === '' ? path : `${path}?${search}`;
}

type Entry = { about: About; version: number; readAt: number; answer: KeptResponse };

export function createSharedResponses(
  feed: MarketFeed,
  options: { mostBytes?: number } = {},
): SharedResponses {
  const mostBytes = options.mostBytes ?? MOST_BYTES;
  const entries = new Map<string, Entry>();
  const keysOf = new Map<string, Set<string>>();
  const making = new Map<string, Promise<KeptResponse>>();
  let bytes = 0;

  function forget(key: string): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    bytes -= entry.answer.weight;
    if (entry.about === 'catalogue') return;
    const keys = keysOf.get(entry.about.ticker);
    keys?.delete(key);
    if (keys?.size === 0) keysOf.delete(entry.about.ticker);
  }

  function keep(key: string, entry: Entry): void {
    forget(key);
    entries.set(key, entry);
    bytes += entry.answer.weight;
    if (entry.about !== 'catalogue') {
      const { ticker } = entry.about;
      const keys = keysOf.get(ticker) ?? new Set();
      keysOf.set(ticker, keys.add(key));
    }
    for (const oldest of entries.keys()) {
      if (bytes <= mostBytes) break;
      forget(oldest);
    }
  }

  feed.onChange((changed) => {
    // What is being made may have been read before the change: it is answered and not kept.
    making.clear();
    const tickers = changed === 'everything' ? [...keysOf.keys()] : changed;
    for (const ticker of tickers) {
      // Forgetting takes the key out of the very set that is walked.
      for (const key of Array.from(keysOf.get(ticker) ?? [])) forget(key);
    }
  });

  function stands({ about, version, readAt }: Entry): boolean {
    const age = performance.now() - readAt;
    if (age > OLDEST_MS) return false;
    return about !== 'catalogue' || version === feed.version() || age < LIST_STANDS_MS;
  }

  return {
    find(key) {
      if (!feed.isCurrent()) return undefined;
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (stands(entry)) return entry.answer;
      forget(key);
      return undefined;
    },
    async make(key, about, answer) {
      const underWay = making.get(key);
      if (underWay) return await underWay;
      const version = feed.version();
      const readAt = performance.now();
      const made = answer().then((json) => new KeptResponse(json));
      making.set(key, made);
      try {
        const kept = await made;
        const isUntouched = about === 'catalogue' || making.get(key) === made;
        if (isUntouched && feed.isCurrent()) keep(key, { about, version, readAt, answer: kept });
        return kept;
      } finally {
        if (making.get(key) === made) making.delete(key);
      }
    },
  };
}
