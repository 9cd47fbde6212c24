/** Wakes waiters for work before their own timer does. */
export type WorkSignal = {
  ring(kind: string): void;
  /** Resolves when it rings for one of `kinds`, at the timeout, or at the end of the process. */
  wait(kinds: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<void>;
};

export function createWorkSignal(): WorkSignal {
  const waiting = new Map<() => void, readonly string[]>();
  return {
    ring(kind) {
      for (const [wake, kinds] of waiting) if (kinds.includes(kind)) wake();
    },
    wait(kinds, timeoutMs, signal) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, timeoutMs);
        signal.addEventListener('abort', wake);
        waiting.set(wake, kinds);
      });
    },
  };
}
