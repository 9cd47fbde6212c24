import { setTimeout as delay } from 'node:timers/promises';

/** What `work` answers if it does so in time, else undefined; it goes on all the same. */
export async function withTimeout<Reply>(
  work: Promise<Reply>,
  timeoutMs: number,
): Promise<Reply | undefined> {
  const timeout = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined);
  return await Promise.race([work, late]).finally(() => timeout.abort());
}
