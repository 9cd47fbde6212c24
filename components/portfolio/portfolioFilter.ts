import {
  POSITION_SORTS,
  type PositionSort,
  type Sorting,
  type SortOrder,
  usualOrder,
} from '#lib/portfolio/positionOrder.ts';

/** Which positions the portfolio lists; all of this lives in the address. */
export const PORTFOLIO_SHOWS = [
  { value: 'held', label: 'Held' },
  { value: 'closed', label: 'Closed' },
] as const;

/** What held positions stand under: what can be done with them, or their event. */
export const PORTFOLIO_GROUPS = [{ value: 'state' }, { value: 'event' }] as const;

/** Whether positions worth less than a cent are listed. */
export const PORTFOLIO_SMALL = [{ value: 'shown' }, { value: 'hidden' }] as const;

export type PortfolioFilter = Sorting & {
  show: (typeof PORTFOLIO_SHOWS)[number]['value'];
  group: (typeof PORTFOLIO_GROUPS)[number]['value'];
  small: (typeof PORTFOLIO_SMALL)[number]['value'];
};

/** Which way that column is sorted; whatever else the address says is its usual order. */
export function orderOf(sort: PositionSort, order: string | undefined): SortOrder {
  return order === 'asc' || order === 'desc' ? order : usualOrder(sort);
}

/** What a column is called, in its head and in the menu. */
export function columnTitle(sort: PositionSort): string {
  return POSITION_SORTS.find(({ value }) => value === sort)?.label ?? sort;
}

/** The address of the portfolio with something changed; what is as usual stays out of it. */
export function portfolioHref(current: PortfolioFilter, change: Partial<PortfolioFilter>): string {
  const next = { ...current, ...change };
  const query = new URLSearchParams();
  if (next.show !== 'held') query.set('show', next.show);
  if (next.sort !== 'value') query.set('sort', next.sort);
  if (next.order !== usualOrder(next.sort)) query.set('order', next.order);
  if (next.group !== 'state') query.set('group', next.group);
  if (next.small !== 'shown') query.set('small', next.small);
  const text = query.toString();
  return text === '' ? '/portfolio' : `/portfolio?${text}`;
}
