import type { ApiKeyUsage } from '#lib/api/schemas/key.ts';

type Day = ApiKeyUsage['days'][number];

/** A bar of the graph; heights in whole percent of the graph, including the rejected share. */
export type UsageBar = Day & { height: number; refusedHeight: number };

/** A day with any request stays visible. */
const LEAST = 4;

export function usageBars(days: readonly Day[]): UsageBar[] {
  const most = Math.max(1, ...days.map(({ requests }) => requests));
  const heightOf = (count: number) =>
    count === 0 ? 0 : Math.max(LEAST, Math.round((count / most) * 100));
  return days.map((day) => ({
    ...day,
    height: heightOf(day.requests),
    refusedHeight: Math.min(heightOf(day.refused), heightOf(day.requests)),
  }));
}

/** "1,240 requests in 30 days, 12 of them refused". */
export function usageWords(days: readonly Day[], format: (count: number) => string): string {
  const requests = days.reduce((sum, day) => sum + day.requests, 0);
  const refused = days.reduce((sum, day) => sum + day.refused, 0);
  const what = requests === 1 ? '1 request' : `${format(requests)} requests`;
  const how = refused === 0 ? '' : `, ${format(refused)} ${refused === 1 ? 'error' : 'errors'}`;
  return `${what} in ${days.length === 1 ? '1 day' : `${days.length} days`}${how}`;
}
