import { setTimeout as delay } from 'node:timers/promises';

/** Waits; the signal ends the wait early. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
