/** Combines concurrent reads of keys into one statement. */
export type Batched<Key, Reply> = (key: Key) => Promise<Reply | undefined>;

type Waiting<Reply> = {
  resolve: (response: Reply | undefined) => void;
  reject: (reason: unknown) => void;
};

const MOST_AT_ONCE = 200;
/** Statements at a time: while the database works on one, the next is gathered. */
const MOST_RUNNING = 2;
/** A statement that takes longer (a lock, a dead connection) no longer delays the next ones. */
const TIMEOUT_MS = 2_000;

/**
 * A single read starts at once; reads that arrive while statements run share the next one.
 * @param load reads many keys at once; a key without a value is left out
 * @param options.underWay statements at a time; with one, each gathers more keys
 */
export function batched<Key, Reply>(
  load: (keys: Key[]) => Promise<Map<Key, Reply>>,
  { underWay: mostRunning = MOST_RUNNING }: { underWay?: number } = {},
): Batched<Key, Reply> {
  const waiting = new Map<Key, Waiting<Reply>[]>();
  let running = 0;
  let isScheduled = false;

  async function ask(): Promise<void> {
    const taken = [...waiting].slice(0, MOST_AT_ONCE);
    for (const [key] of taken) waiting.delete(key);
    running += 1;
    let isCounted = true;
    const release = () => {
      if (!isCounted) return;
      isCounted = false;
      running -= 1;
      schedule();
    };
    const timeout = setTimeout(release, TIMEOUT_MS);
    try {
      const responses = await load(taken.map(([key]) => key));
      for (const [key, askers] of taken) {
        for (const { resolve } of askers) resolve(responses.get(key));
      }
    } catch (error) {
      for (const [, askers] of taken) for (const { reject } of askers) reject(error);
    } finally {
      clearTimeout(timeout);
      release();
    }
  }

  function schedule(): void {
    if (isScheduled || running >= mostRunning || waiting.size === 0) return;
    isScheduled = true;
    // Gathers reads of the same turn of the event loop.
    setImmediate(() => {
      isScheduled = false;
      if (waiting.size > 0) void ask();
      schedule();
    });
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const askers = waiting.get(key) ?? [];
      askers.push({ resolve, reject });
      waiting.set(key, askers);
      schedule();
    });
}
