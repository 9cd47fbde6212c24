const MOST_ENTRIES = 5_000;

/**
 * Remembers answers for a while; concurrent askers share one question, failures are forgotten. A
 * time of zero shares questions and remembers nothing.
 */
export function createTimedCache<T>(
  ttlMs: number,
  read: (key: string) => Promise<T>,
): (key: string) => Promise<T> {
  const entries = new Map<string, { answeredAt: number | undefined; value: Promise<T> }>();
  return (key) => {
    const known = entries.get(key);
    if (known && isFresh(known.answeredAt, ttlMs)) return known.value;
    const entry = { answeredAt: undefined as number | undefined, value: read(key) };
    entries.delete(key);
    entries.set(key, entry);
    entry.value.then(
      () => {
        entry.answeredAt = performance.now();
        if (ttlMs === 0 && entries.get(key) === entry) entries.delete(key);
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key);
      },
    );
    if (entries.size > MOST_ENTRIES) {
      const oldest = entries.keys().next().value;
      if (oldest !== undefined) entries.delete(oldest);
    }
    return entry.value;
  };
}

function isFresh(answeredAt: number | undefined, ttlMs: number): boolean {
  return answeredAt === undefined || performance.now() - answeredAt < ttlMs;
}
