import { setTimeout as delay } from 'node:timers/promises';

/** What `work` answers if it does so in time, else undefined; it goes on all the same. */
export async function withTimeout<Answer>(
  work: Promise<Answer>,
  patienceMs: number,
): Promise<Answer | undefined> {
  const patience = new AbortController();
  const late = delay(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined);
  return await Promise.race([work, late]).finally(() => patience.abort());
}
