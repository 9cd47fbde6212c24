export type WorkPool = ReturnType<typeof createWorkPool>;

/**
 * Runs a limited number of tasks at once and queues the rest. Not `p-queue`, which has no keys:
 * tasks of one key never run concurrently, and a repeated start runs once more afterwards.
 * @param options.handler must not reject: a rejection is swallowed
 */
export function createWorkPool(options: {
  concurrency: number;
  handler: (key: string) => Promise<void>;
}) {
  const waiting = new Set<string>();
  const underWay = new Map<string, Promise<void>>();
  let isClosed = false;
  let waitingForRoom: (() => void)[] = [];

  function begin(): void {
    for (const key of waiting) {
      if (isClosed || underWay.size >= options.concurrency) break;
      if (underWay.has(key)) continue;
      waiting.delete(key);
      const work = options
        .handler(key)
        .catch(() => undefined)
        .finally(() => {
          underWay.delete(key);
          begin();
        });
      underWay.set(key, work);
    }
    if (underWay.size >= options.concurrency && !isClosed) return;
    for (const resolve of waitingForRoom) resolve();
    waitingForRoom = [];
  }

  return {
    start(key: string): void {
      if (isClosed) return;
      waiting.add(key);
      begin();
    },
    /** How many more tasks could start at once. */
    free(): number {
      return isClosed ? 0 : Math.max(0, options.concurrency - underWay.size - waiting.size);
    },
    /** Resolves when another task could start, or the pool is closed. */
    room(): Promise<void> {
      if (underWay.size < options.concurrency || isClosed) return Promise.resolve();
      return new Promise((resolve) => waitingForRoom.push(resolve));
    },
    /** Starts nothing more; resolves when running tasks have ended. */
    async close(): Promise<void> {
      isClosed = true;
      begin();
      await Promise.all(underWay.values());
    },
  };
}
