export const HOUR_MS = 3_600_000;
/** Full hours of a day. */
const HOURS = 24;

/** The 24 full hours that end with this one, oldest first; unix milliseconds. */
export function hoursThrough(hourMs: number): number[] {
  return Array.from({ length: HOURS }, (_, index) => hourMs - (HOURS - 1 - index) * HOUR_MS);
}
