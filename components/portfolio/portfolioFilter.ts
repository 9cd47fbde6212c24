import type { PositionSort } from '#lib/portfolio/positionView.ts';

/** Which positions the portfolio lists; it lives in the address, as their order does. */
export const PORTFOLIO_SHOWS = [
  { value: 'held', label: 'Held' },
  { value: 'closed', label: 'Closed' },
] as const;

export type PortfolioShow = (typeof PORTFOLIO_SHOWS)[number]['value'];

type PortfolioFilter = { sort: PositionSort; show: PortfolioShow };

export function portfolioHref(current: PortfolioFilter, change: Partial<PortfolioFilter>): string {
  const next = { ...current, ...change };
  const query = new URLSearchParams();
  if (next.show !== 'held') query.set('show', next.show);
  if (next.sort !== 'value') query.set('sort', next.sort);
  const text = query.toString();
  return text === '' ? '/portfolio' : `/portfolio?${text}`;
}
