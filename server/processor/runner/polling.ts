import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#server/platform/log.ts';

/** Waits; the signal ends the wait early. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

/**
 * Polls until the signal aborts; a failed poll is logged and repeated.
 * @param poll returns true when there is more to do at once
 */
export async function pollUntilAborted(
  options: {
    log: Log;
    signal: AbortSignal;
    pollMs: number;
    errorPauseMs: number;
    failure: string;
    level?: 'warn' | 'error';
  },
  poll: () => Promise<boolean>,
): Promise<void> {
  const { log, signal, pollMs, errorPauseMs, failure, level = 'error' } = options;
  while (!signal.aborted) {
    try {
      if (!(await poll())) await pause(pollMs, signal);
    } catch (error) {
      log[level]({ err: error }, failure);
      await pause(errorPauseMs, signal);
    }
  }
}
