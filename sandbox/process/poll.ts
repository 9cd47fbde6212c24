import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks `probe` until it answers something other than undefined.
 * @returns that answer, or undefined when the time is over.
 */
export async function pollUntil<Answer>(
  probe: () => Promise<Answer | undefined> | Answer | undefined,
  options: { timeoutMs: number; everyMs?: number },
): Promise<Answer | undefined> {
  const end = Date.now() + options.timeoutMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined || Date.now() >= end) return answer;
    await delay(options.everyMs ?? 25);
  }
}
