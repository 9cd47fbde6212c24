import { pause } from './pause.ts';

/** What `work` answers if it does so in time, else undefined; it goes on all the same. */
export async function soon<Answer>(
  work: Promise<Answer>,
  patienceMs: number,
): Promise<Answer | undefined> {
  const patience = new AbortController();
  const late = pause(patienceMs, patience.signal).then(() => undefined);
  return await Promise.race([work, late]).finally(() => patience.abort());
}
