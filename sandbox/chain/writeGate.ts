import { setTimeout as delay } from 'node:timers/promises';

/**
 * A lock for requests that change the chain: shared for requests, exclusive for maintenance. The
 * local chain mines during a reorganisation, which would break both branches.
 */
export type WriteGate = {
  /** Runs a request that changes the chain, once no exclusive work is running. */
  pass<Value>(write: () => Promise<Value>): Promise<Value>;
  /** Holds back new requests, waits for current ones and runs exclusively. */
  alone<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Time since the last changing request completed; 0 while one is running. */
  quietMs(): number;
};

/** A request that waits for a future block may take long: exclusive work does not wait for it. */
const TIMEOUT_MS = 2_000;

export function createWriteGate(timeoutMs = TIMEOUT_MS): WriteGate {
  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<unknown> | undefined;
  let lastAt = performance.now();

  return {
    async pass(write) {
      while (closed) await closed;
      const running = write();
      const ended = running.catch(() => undefined);
      underWay.add(ended);
      void ended.then(() => {
        underWay.delete(ended);
        lastAt = performance.now();
      });
      return await running;
    },
    async alone(work) {
      const former = closed;
      const running = (async () => {
        await former;
        await Promise.race([Promise.all(underWay), delay(timeoutMs)]);
        return await work();
      })();
      const ended = running.catch(() => undefined);
      closed = ended;
      void ended.then(() => {
        if (closed === ended) closed = undefined;
      });
      return await running;
    },
    quietMs: () => (underWay.size > 0 ? 0 : performance.now() - lastAt),
  };
}
