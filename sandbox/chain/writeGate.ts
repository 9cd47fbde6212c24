import { setTimeout as delay } from 'node:timers/promises';

/**
 * Lets through what changes the chain, except while something is done that nothing may disturb.
 * The local chain makes blocks while it replaces others, and then has neither branch whole.
 */
export type WriteGate = {
  /** Runs a request that changes the chain, as soon as it disturbs nobody. */
  pass<Value>(write: () => Promise<Value>): Promise<Value>;
  /** Holds new ones back, waits until those under way are answered, and runs undisturbed. */
  alone<Value>(work: () => Promise<Value>): Promise<Value>;
  /** How long ago the last request that changes the chain was answered; 0 while one is not. */
  quietMs(): number;
};

/** A request that is answered by a block to come may wait for long: it is not waited for. */
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
