/**
 * Gathers questions that arrive together into one statement. A question that comes alone is asked
 * at once; those that come while one is under way wait for it and are asked together.
 */
export type Batched<Key, Reply> = (key: Key) => Promise<Reply | undefined>;

type Waiting<Reply> = {
  resolve: (response: Reply | undefined) => void;
  reject: (reason: unknown) => void;
};

const MOST_AT_ONCE = 200;
/** Statements under way at a time: the database works on one while the next is gathered. */
const UNDER_WAY = 2;
/** A statement that takes this long (a lock, a dead connection) is no longer waited for by others. */
const TIMEOUT_MS = 2_000;

/**
 * @param load answers for many keys at once; a key that is left out has no answer
 * @param options.underWay statements at a time; with one, more is gathered for each
 */
export function batched<Key, Reply>(
  load: (keys: Key[]) => Promise<Map<Key, Reply>>,
  { underWay: mostUnderWay = UNDER_WAY }: { underWay?: number } = {},
): Batched<Key, Reply> {
  const waiting = new Map<Key, Waiting<Reply>[]>();
  let underWay = 0;
  let isScheduled = false;

  async function ask(): Promise<void> {
    const taken = [...waiting].slice(0, MOST_AT_ONCE);
    for (const [key] of taken) waiting.delete(key);
    underWay += 1;
    let isWaitedFor = true;
    const goOn = () => {
      if (!isWaitedFor) return;
      isWaitedFor = false;
      underWay -= 1;
      schedule();
    };
    const timeout = setTimeout(goOn, TIMEOUT_MS);
    try {
      const responses = await load(taken.map(([key]) => key));
      for (const [key, askers] of taken) {
        for (const { resolve } of askers) resolve(responses.get(key));
      }
    } catch (error) {
      for (const [, askers] of taken) for (const { reject } of askers) reject(error);
    } finally {
      clearTimeout(timeout);
      goOn();
    }
  }

  function schedule(): void {
    if (isScheduled || underWay >= mostUnderWay || waiting.size === 0) return;
    isScheduled = true;
    // Requests that came with the same turn of the event loop are gathered.
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
