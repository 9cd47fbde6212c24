const MOST_ENTRIES = 5_000;

/** Remembers answers for a while; concurrent askers share one question, failures are forgotten. */
export function createTimedCache<T>(
  ttlMs: number,
  read: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  const entries = new Map<string, { at: number; value: Promise<T> }>();
  return (key) => {
    const known = entries.get(key);
    if (known && performance.now() - known.at < ttlMs) return known.value;
    const value = read(key);
    entries.delete(key);
    entries.set(key, { at: performance.now(), value });
    value.catch(() => {
      if (entries.get(key)?.value === value) entries.delete(key);
    });
    if (entries.size > MOST_ENTRIES) {
      const oldest = entries.keys().next().value;
      if (oldest !== undefined) entries.delete(oldest);
    }
    return value;
  };
}
