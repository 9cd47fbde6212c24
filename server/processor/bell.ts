/** Wakes those who wait for work, sooner than their own timer would. */
export type Bell = {
  ring(): void;
  /** Resolves when it rings, when the time is over, or when the process is asked to stop. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
};

export function createBell(): Bell {
  const waiting = new Set<() => void>();
  return {
    ring() {
      for (const wake of waiting) wake();
    },
    wait(timeoutMs, signal) {
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
        waiting.add(wake);
      });
    },
  };
}
