import { LRUCache } from 'lru-cache';

const MAX_ENTRIES = 5_000;

export type TimedCache<T> = (key: string) => Promise<T>;

export type TimedCacheOptions<T> = {
  /** From this age a value is renewed while it is still returned; by default, when it expires. */
  renewAfterMs?: number;
  /** The lifetime of a value; by default that of the cache. */
  ttlOf?: (value: T) => number;
};

/**
 * Caches the results of `read`; concurrent callers share one read, and failures are not cached.
 * With a lifetime of zero only concurrent callers share a result.
 */
export function createTimedCache<T>(
  ttlMs: number,
  read: (key: string) => Promise<T>,
  { renewAfterMs = ttlMs, ttlOf = () => ttlMs }: TimedCacheOptions<T> = {},
): TimedCache<T> {
  // Boxed, because the library treats undefined as absent.
  const cache = new LRUCache<string, { value: T }>({
    max: MAX_ENTRIES,
    // Zero means "never expires" to the library; such values are deleted below.
    ttl: ttlMs,
    // Expiry to the millisecond, without a cached clock.
    ttlResolution: 0,
    perf: { now: () => performance.now() },
    // A value that is evicted during its read still reaches its callers.
    ignoreFetchAbort: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (key, _stale, { options }) => {
      const value = await read(key);
      options.ttl = ttlOf(value);
      return { value };
    },
  });

  function fresh(key: string): { value: T } | undefined {
    const known = cache.get(key);
    if (known && cache.getRemainingTTL(key) <= ttlMs - renewAfterMs) {
      // Not awaited: callers get the known value until it expires or the new one arrives.
      cache.forceFetch(key, { forceRefresh: true }).catch(() => undefined);
    }
    return known;
  }

  return async (key) => {
    const known = fresh(key) ?? (await cache.forceFetch(key));
    // Keeps a later read of the same key, which may have started.
    if (ttlMs === 0 && cache.peek(key) === known) cache.delete(key);
    return known.value;
  };
}
