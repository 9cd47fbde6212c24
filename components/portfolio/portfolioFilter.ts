import { filterHref } from '#components/ui/filterHref.ts';
import {
  POSITION_SORTS,
  type PositionSort,
  type Sorting,
  type SortOrder,
  usualOrder,
} from '#lib/portfolio/positionOrder.ts';

/** Filters and order of the portfolio; all of them live in the URL. */
export const PORTFOLIO_SHOWS = [
  { value: 'held', label: 'Held' },
  { value: 'open', label: 'Open orders' },
  { value: 'closed', label: 'Closed' },
] as const;

/** The grouping of held positions: by action, or by event. */
export const PORTFOLIO_GROUPS = [{ value: 'state' }, { value: 'event' }] as const;

export const PORTFOLIO_SMALL = [{ value: 'shown' }, { value: 'hidden' }] as const;

export type PortfolioFilter = Sorting & {
  show: (typeof PORTFOLIO_SHOWS)[number]['value'];
  group: (typeof PORTFOLIO_GROUPS)[number]['value'];
  small: (typeof PORTFOLIO_SMALL)[number]['value'];
};

/** The direction of that column; an invalid value means its default. */
export function orderOf(sort: PositionSort, order: string | undefined): SortOrder {
  return order === 'asc' || order === 'desc' ? order : usualOrder(sort);
}

export function columnTitle(sort: PositionSort): string {
  return POSITION_SORTS.find(({ value }) => value === sort)?.label ?? sort;
}

/** The URL of the portfolio with one value changed; defaults are left out. */
export function portfolioHref(current: PortfolioFilter, change: Partial<PortfolioFilter>): string {
  const next = { ...current, ...change };
  return filterHref<PortfolioFilter>('/portfolio', next, {
    show: 'held',
    sort: 'value',
    order: usualOrder(next.sort),
    group: 'state',
    small: 'shown',
  });
}
