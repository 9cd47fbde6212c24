/** Caches values for a short time; concurrent callers share one request. */
export function createShortCache<Value>(options: {
  ttlMs: (value: Value) => number;
  maxEntries: number;
  now?: () => number;
}): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const { now = () => performance.now(), maxEntries, ttlMs } = options;
  const entries = new Map<string, { value: Promise<Value>; until: number }>();
  return (key, read) => {
    const known = entries.get(key);
    if (known && now() < known.until) return known.value;
    const entry = { value: read(), until: Number.POSITIVE_INFINITY };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    entry.value.then(
      (value) => {
        entry.until = now() + ttlMs(value);
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key);
      },
    );
    return entry.value;
  };
}
