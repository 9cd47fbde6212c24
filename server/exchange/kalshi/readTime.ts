import type { HttpClient } from './httpClient.ts';
import { moment } from './wire.ts';

/** How far the exchange's clock may be from ours when it filters by time. */
export const CLOCK_MARGIN_MS = 60_000;

/**
 * The time up to which the exchange's reads of our own orders are complete, by its clock and by
 * ours: now, less the lag of its user data.
 */
export async function readsKnownThrough(
  http: HttpClient,
  now: () => number,
): Promise<{ theirs: number; ours: number }> {
  const { body, date } = await http.getDated('/exchange/user_data_timestamp');
  const asOf = moment(body.as_of_time)?.getTime();
  if (asOf === undefined) return { theirs: 0, ours: 0 };
  const theirNow = date?.getTime() ?? now();
  return { theirs: Math.min(asOf, theirNow), ours: now() - Math.max(theirNow - asOf, 0) };
}

/** The clocks of the two sides differ. */
export function withMargin(at: Date): Date {
  return new Date(at.getTime() - CLOCK_MARGIN_MS);
}
