import type { PortfolioPoint } from '../api/schemas/portfolioHistory.ts';
import { parseMicros } from '../money.ts';

type Drawn = { time: number; value: number };

/** The line that is drawn: seconds and dollars, for drawing only. Unknown moments are left out. */
export function valuePoints(points: readonly PortfolioPoint[]): Drawn[] {
  const drawn: Drawn[] = [];
  for (const { at, total } of points) {
    if (total === null) continue;
    const time = Math.floor(Date.parse(at) / 1_000);
    if ((drawn.at(-1)?.time ?? 0) >= time) continue;
    drawn.push({ time, value: Number(parseMicros(total) / 10_000n) / 100 });
  }
  return drawn;
}

/** From the first known value to the last, in USDC micros; undefined when fewer than two are. */
export function valueChange(points: readonly PortfolioPoint[]): bigint | undefined {
  const totals = points.flatMap(({ total }) => (total === null ? [] : [parseMicros(total)]));
  const [first] = totals;
  const last = totals.at(-1);
  return totals.length < 2 || first === undefined || last === undefined ? undefined : last - first;
}
