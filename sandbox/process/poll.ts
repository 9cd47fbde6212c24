import { setTimeout as delay } from 'node:timers/promises';

/** For what ends in seconds, on a machine that others share. */
const TIMEOUT_MS = 120_000;

/**
 * Calls `probe` until it returns something other than undefined.
 * @returns that value, or undefined on timeout.
 */
export async function pollUntil<Reply>(
  probe: () => Promise<Reply | undefined> | Reply | undefined,
  options: { timeoutMs?: number | undefined; everyMs?: number } = {},
): Promise<Reply | undefined> {
  const end = Date.now() + (options.timeoutMs ?? TIMEOUT_MS);
  for (;;) {
    const response = await probe();
    if (response !== undefined || Date.now() >= end) return response;
    await delay(options.everyMs ?? 25);
  }
}
