/**
 * Works on a number of things at once; what comes beyond that waits its turn. Of its own: `p-queue`
 * knows no keys, by which one thing is never begun beside itself and begun once more afterwards.
 */
export type WorkPool = {
  /** Begins now or when it is its turn; what is under way already is begun once more after that. */
  start(key: string): void;
  /** How many things more could begin at once. */
  free(): number;
  /** Resolves when another thing could begin at once, or the pool is closed. */
  room(): Promise<void>;
  /** Begins nothing more; resolves when what is under way has ended, or after the time. */
  close(timeoutMs: number): Promise<void>;
};

/** @param options.handler must not reject: a rejection is swallowed */
export function createWorkPool(options: {
  concurrency: number;
  handler: (key: string) => Promise<void>;
}): WorkPool {
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
    start(key) {
      if (isClosed) return;
      waiting.add(key);
      begin();
    },
    free() {
      return isClosed ? 0 : Math.max(0, options.concurrency - underWay.size - waiting.size);
    },
    room() {
      if (underWay.size < options.concurrency || isClosed) return Promise.resolve();
      return new Promise((resolve) => waitingForRoom.push(resolve));
    },
    async close(timeoutMs) {
      isClosed = true;
      begin();
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([Promise.all(underWay.values()), timeout]);
      clearTimeout(timer);
    },
  };
}
