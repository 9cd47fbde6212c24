const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

/** "3 d 4 h", "2 h 10 min", "45 s": the two largest units of a non-negative duration. */
export function duration(ms: number): string {
  const left = Math.max(0, ms);
  if (left >= 2 * YEAR_MS) return `${Math.floor(left / YEAR_MS)} years`;
  if (left >= 60 * DAY_MS) return `${Math.floor(left / (30 * DAY_MS))} months`;
  if (left >= 10 * DAY_MS) return `${Math.floor(left / DAY_MS)} days`;
  if (left >= DAY_MS) return pair(left, DAY_MS, 'd', HOUR_MS, 'h');
  if (left >= HOUR_MS) return pair(left, HOUR_MS, 'h', MINUTE_MS, 'min');
  if (left >= MINUTE_MS) return pair(left, MINUTE_MS, 'min', 1_000, 's');
  return `${Math.floor(left / 1_000)} s`;
}

function pair(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const bigCount = Math.floor(ms / big);
  const smallCount = Math.floor((ms % big) / small);
  return smallCount === 0
    ? `${bigCount} ${bigName}`
    : `${bigCount} ${bigName} ${smallCount} ${smallName}`;
}
