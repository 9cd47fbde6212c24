/** Carries a number of things at once; what comes beyond that waits its turn. */
export type WorkPool = {
  /** Begins now or when it is its turn; what is under way already is begun once more after that. */
  start(key: string): void;
  /** How many things more could begin at once. */
  free(): number;
  /** Resolves when another thing could begin at once, or the pool is closed. */
  room(): Promise<void>;
  /** Begins nothing more; resolves when what is under way is over, or when the time is. */
  close(timeoutMs: number): Promise<void>;
};

/** @param options.handler must not reject: nobody would hear of it */
export function createWorkPool(options: {
  concurrency: number;
  handler: (key: string) => Promise<void>;
}): WorkPool {
  const waiting = new Set<string>();
  const underWay = new Map<string, Promise<void>>();
  let isClosed = false;
  let tellRoom: (() => void)[] = [];

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
    for (const tell of tellRoom) tell();
    tellRoom = [];
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
      return new Promise((resolve) => tellRoom.push(resolve));
    },
    async close(timeoutMs) {
      isClosed = true;
      begin();
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([Promise.all(underWay.values()), patience]);
      clearTimeout(timer);
    },
  };
}
