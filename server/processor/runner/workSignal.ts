export type WorkSignal = ReturnType<typeof createWorkSignal>;

/** Wakes waiters for work before their own timer does. */
export function createWorkSignal() {
  const waiting = new Map<() => void, readonly string[]>();
  return {
    ring(kind: string): void {
      for (const [wake, kinds] of waiting) if (kinds.includes(kind)) wake();
    },
    /** Resolves when it rings for one of `kinds`, at the timeout, or at the end of the process. */
    wait(kinds: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<void> {
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
