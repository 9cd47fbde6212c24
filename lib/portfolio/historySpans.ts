import type { PortfolioHistoryRange } from '#lib/api/schemas/portfolioHistory.ts';

const DAY_MS = 86_400_000;

/** How far back each range of the portfolio's history reaches, at most. */
export const HISTORY_SPANS_MS: Record<PortfolioHistoryRange, number> = {
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
  '1m': 31 * DAY_MS,
  all: Number.POSITIVE_INFINITY,
};
