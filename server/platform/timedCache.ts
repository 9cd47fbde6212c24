const MOST_ENTRIES = 5_000;

export type TimedCache<T> = (key: string) => Promise<T>;

export type TimedCacheOptions = {
  /** An answer this old is asked for anew while it still serves; unless told, once it is over. */
  renewAfterMs?: number;
};

type Entry<T> = {
  /** Undefined while the question is under way. */
  known: { value: T; at: number } | undefined;
  value: Promise<T>;
  isRenewing: boolean;
};

/**
 * Remembers answers for a while; concurrent askers share one question, failures are forgotten. A
 * time of zero shares questions and remembers nothing.
 */
export function createTimedCache<T>(
  ttlMs: number,
  read: (key: string) => Promise<T>,
  { renewAfterMs = ttlMs }: TimedCacheOptions = {},
): TimedCache<T> {
  const entries = new Map<string, Entry<T>>();

  const isFresh = ({ known }: Entry<T>) =>
    known !== undefined && performance.now() - known.at < ttlMs;

  function ask(key: string): Entry<T> {
    const entry: Entry<T> = { known: undefined, value: read(key), isRenewing: false };
    entry.value.then(
      (value) => {
        entry.known = { value, at: performance.now() };
        if (ttlMs === 0 && entries.get(key) === entry) entries.delete(key);
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key);
      },
    );
    return entry;
  }

  function put(key: string, entry: Entry<T>): void {
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size <= MOST_ENTRIES) return;
    const oldest = entries.keys().next().value;
    if (oldest !== undefined) entries.delete(oldest);
  }

  /** Nobody waits for this: the former answer serves until it is over or the new one is there. */
  function renew(key: string, former: Entry<T>): void {
    former.isRenewing = true;
    const next = ask(key);
    next.value.then(
      () => {
        if (entries.get(key) === former) put(key, next);
      },
      () => {
        former.isRenewing = false;
      },
    );
  }

  function freshEntry(key: string): Entry<T> | undefined {
    const entry = entries.get(key);
    if (!entry?.known) return undefined;
    const age = performance.now() - entry.known.at;
    if (age >= ttlMs) return undefined;
    if (age >= renewAfterMs && !entry.isRenewing) renew(key, entry);
    return entry;
  }

  return (key) => {
    const entry = freshEntry(key) ?? entries.get(key);
    if (entry && (entry.known === undefined || isFresh(entry))) return entry.value;
    const asked = ask(key);
    put(key, asked);
    return asked.value;
  };
}
