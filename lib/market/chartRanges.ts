import type { PriceHistoryRange } from '#lib/api/schemas/market.ts';

const HOUR_MS = 3_600_000;
const SPANS_MS: Record<Exclude<PriceHistoryRange, 'all'>, number> = {
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '1d': 24 * HOUR_MS,
  '1w': 7 * 24 * HOUR_MS,
  '1m': 31 * 24 * HOUR_MS,
};

/** The part of a market that its ranges depend on. */
type Life = { openTime: string; closeTime: string };

/** The ranges that a market has prices for: shorter than its life, and not after its end. */
export function chartRanges({ openTime, closeTime }: Life, nowMs: number): PriceHistoryRange[] {
  const opened = Date.parse(openTime);
  const ended = Math.min(Date.parse(closeTime), nowMs);
  const spans = Object.entries(SPANS_MS) as [PriceHistoryRange, number][];
  const offered = spans.filter(([, span]) => nowMs - span > opened && nowMs - span < ended);
  return [...offered.map(([range]) => range), 'all'];
}

/** The initial range: the last day if the market has it. */
export function firstRange(life: Life, nowMs: number): PriceHistoryRange {
  return chartRanges(life, nowMs).includes('1d') ? '1d' : 'all';
}

/** A market this young shows each trade. */
const ROUND_MS = 6 * HOUR_MS;

export function isShortRound({ openTime, closeTime }: Life, nowMs: number): boolean {
  return Math.min(Date.parse(closeTime), nowMs) - Date.parse(openTime) <= ROUND_MS;
}
