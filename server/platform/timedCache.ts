import { LRUCache } from 'lru-cache';

const MAX_ENTRIES = 5_000;

export type TimedCache<T> = (key: string) => Promise<T>;

export type TimedCacheOptions = {
  /** From this age a value is read again while it still serves; by default, once it has expired. */
  renewAfterMs?: number;
};

/**
 * Caches what `read` returns; concurrent callers share one read, and failures are not cached. With
 * a lifetime of zero they share the read and nothing is cached.
 */
export function createTimedCache<T>(
  ttlMs: number,
  read: (key: string) => Promise<T>,
  { renewAfterMs = ttlMs }: TimedCacheOptions = {},
): TimedCache<T> {
  // Boxed: the library takes an undefined value for an absent one.
  const cache = new LRUCache<string, { value: T }>({
    max: MAX_ENTRIES,
    // The library takes zero for "never expires"; values of such a cache are deleted below.
    ttl: ttlMs,
    // Expiry to the millisecond, by the clock of the moment.
    ttlResolution: 0,
    perf: { now: () => performance.now() },
    // A value that is evicted while it is read still reaches its readers.
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (key) => ({ value: await read(key) }),
  });

  function fresh(key: string): { value: T } | undefined {
    const known = cache.get(key);
    if (known && cache.getRemainingTTL(key) <= ttlMs - renewAfterMs) {
      // Not awaited: the value serves until it expires or the new one is here.
      cache.forceFetch(key, { forceRefresh: true }).catch(() => undefined);
    }
    return known;
  }

  return async (key) => {
    const known = fresh(key) ?? (await cache.forceFetch(key));
    // Not a later read of the same key, which may be under way by now.
    if (ttlMs === 0 && cache.peek(key) === known) cache.delete(key);
    return known.value;
  };
}
