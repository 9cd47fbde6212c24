import { setTimeout as delay } from 'node:timers/promises';

/** Waits, or less when the process is asked to stop. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
