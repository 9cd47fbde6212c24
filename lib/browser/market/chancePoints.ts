import type { PricePoint } from '#lib/api/schemas/market.ts';
import { impliedChance } from '#lib/market/marketView.ts';
import { parseMicros } from '#lib/money.ts';

/** A point of the chart: Unix seconds, and percent with two decimals. For drawing only. */
export type ChancePoint = { time: number; value: number };

/** Converts recorded prices to the points of a line; moments without a price are left out. */
export function chancePoints(points: PricePoint[]): ChancePoint[] {
  const drawn: ChancePoint[] = [];
  for (const point of points) {
    const chance = impliedChance({
      yesBidMicros: micros(point.yesBidDollars),
      yesAskMicros: micros(point.yesAskDollars),
      noBidMicros: null,
      noAskMicros: null,
      lastPriceMicros: micros(point.lastPriceDollars),
    });
    if (chance === null) continue;
    const time = Math.floor(Date.parse(point.at) / 1_000);
    const last = drawn.at(-1);
    if (last && last.time >= time) continue;
    drawn.push({ time, value: percent(chance) });
  }
  return drawn;
}

/**
 * The line up to now: its last point is the page's own chance, which is newer than the record, and
 * after the result the payout.
 */
export function endingAt(points: ChancePoint[], nowMicros: bigint | null): ChancePoint[] {
  const last = points.at(-1);
  if (!last || nowMicros === null) return points;
  return [...points.slice(0, -1), { time: last.time, value: percent(nowMicros) }];
}

function percent(micros: bigint): number {
  return Number(micros / 100n) / 100;
}

function micros(dollars: string | null): bigint | null {
  return dollars === null ? null : parseMicros(dollars);
}
