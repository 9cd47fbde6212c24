import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';

/** Repeats a step until the signal; logs each failure as `heldUp`. */
export async function repeat(
  everyMs: number,
  step: () => Promise<unknown>,
  { log, heldUp, signal }: { log: Log; heldUp: string; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await step();
    } catch (err) {
      log.warn({ err }, heldUp);
    }
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
