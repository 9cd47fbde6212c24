import { setTimeout as delay } from 'node:timers/promises';

/** The result of `work`, or undefined after the timeout; `work` continues either way. */
export async function withTimeout<Reply>(
  work: Promise<Reply>,
  timeoutMs: number,
): Promise<Reply | undefined> {
  const timeout = new AbortController();
  const late = delay(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined);
  return await Promise.race([work, late]).finally(() => timeout.abort());
}
