import type { PortfolioHistoryRange, PortfolioPoint } from '#lib/api/schemas/portfolioHistory.ts';
import { parseMicros } from '#lib/money.ts';
import { HISTORY_SPANS_MS } from '#lib/portfolio/historySpans.ts';
import { signedMicros } from '#lib/portfolio/positionView.ts';

/** The initial range of the portfolio's chart. */
export const FIRST_VALUE_RANGE: PortfolioHistoryRange = '1d';

type Drawn = { time: number; value: number };

/**
 * The points of the line, in seconds and dollars, for drawing only. Unknown moments are left out.
 * The last point is the page's current value, which is polled more often than the line.
 */
export function valuePoints(points: readonly PortfolioPoint[], nowMicros: bigint): Drawn[] {
  const drawn: Drawn[] = [];
  for (const { at, total } of points) {
    if (total === null) continue;
    const time = Math.floor(Date.parse(at) / 1_000);
    if ((drawn.at(-1)?.time ?? 0) >= time) continue;
    drawn.push({ time, value: dollarsOf(parseMicros(total)) });
  }
  const last = drawn.at(-1);
  if (last) last.value = dollarsOf(nowMicros);
  return drawn;
}

/** The profit since the start of the range, which deposits and withdrawals do not change. */
export function profitPoints(
  points: readonly PortfolioPoint[],
  range: PortfolioHistoryRange,
): Drawn[] {
  const start = profitAtStart(points, range);
  const byTime = new Map<number, Drawn>();
  for (const { at, profit } of points) {
    const time = Math.floor(Date.parse(at) / 1_000);
    byTime.set(time, { time, value: dollarsOf(signedMicros(profit) - start) });
  }
  const drawn = [...byTime.values()];
  const [first] = drawn;
  // An account younger than the range had no profit before its first trade.
  return first && first.value !== 0 ? [{ time: first.time - 1, value: 0 }, ...drawn] : drawn;
}

/**
 * Whether the line is older than the page's value: it was read during a trade, or prices have moved
 * by a hundredth of the total since.
 */
export function isBehind(points: readonly PortfolioPoint[], nowMicros: bigint): boolean {
  const total = points.at(-1)?.total;
  if (total === undefined || total === null) return false;
  const difference = parseMicros(total) - nowMicros;
  return (difference < 0n ? -difference : difference) * 100n > nowMicros;
}

/** Unrounded: each caller rounds what it displays. */
function dollarsOf(micros: bigint): number {
  return Number(micros) / 1_000_000;
}

/** Profit or loss from the start of the range to the last point, in USDC micros. */
export function profitOver(
  points: readonly PortfolioPoint[],
  range: PortfolioHistoryRange,
): bigint | undefined {
  const last = points.at(-1);
  if (!last || last === points[0]) return undefined;
  return signedMicros(last.profit) - profitAtStart(points, range);
}

/** None for an account younger than the range: its first point can follow its first trade. */
function profitAtStart(points: readonly PortfolioPoint[], range: PortfolioHistoryRange): bigint {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return 0n;
  const spannedMs = Date.parse(last.at) - Date.parse(first.at);
  return spannedMs < HISTORY_SPANS_MS[range] ? 0n : signedMicros(first.profit);
}
