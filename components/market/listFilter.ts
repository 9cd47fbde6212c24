import { filterHref } from '#components/ui/filterHref.ts';
import type { SavedView } from '#lib/browser/market/savedViews.ts';

export const LIST_SORTS = [
  { value: 'trending', label: 'Most active' },
  { value: 'movers', label: 'Biggest moves' },
  { value: 'closing', label: 'Closing soon' },
  { value: 'newest', label: 'Newest' },
  { value: 'liquidity', label: 'Most liquid' },
] as const;

export const SEARCH_SORTS = [
  { value: 'querymatch', label: 'Best match' },
  { value: 'trending', label: 'Most active' },
  { value: 'closing', label: 'Closing soon' },
  { value: 'newest', label: 'Newest' },
  { value: 'liquidity', label: 'Most liquid' },
] as const;

export const LIST_STATUSES = [
  { value: 'open', label: 'Open' },
  { value: 'unopened', label: 'Upcoming' },
  { value: 'closed', label: 'Closed' },
  { value: 'settled', label: 'Resolved' },
] as const;

export const SEARCH_STATUSES = [{ value: 'any', label: 'Any' }, ...LIST_STATUSES] as const;

export const FREQUENCIES = [
  { value: 'any', label: 'Any' },
  { value: 'hourly', label: 'Hourly' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
  { value: 'annual', label: 'Yearly' },
] as const;

/** Whether mistyped words are corrected or searched as they are. */
export const SPELLINGS = [{ value: 'corrected' }, { value: 'exact' }] as const;

export const LIST_VIEWS = [
  { value: 'cards', label: 'Cards' },
  { value: 'table', label: 'Table' },
] as const;

export type ListView = (typeof LIST_VIEWS)[number]['value'];

export type ListFilter = {
  category: string | undefined;
  status: (typeof LIST_STATUSES)[number]['value'];
  sort: (typeof LIST_SORTS)[number]['value'];
  view: ListView;
};

export type SearchFilter = {
  query: string;
  category: string | undefined;
  status: (typeof SEARCH_STATUSES)[number]['value'];
  frequency: (typeof FREQUENCIES)[number]['value'];
  sort: (typeof SEARCH_SORTS)[number]['value'];
  /** Limits the results to the events of one series. */
  series: string | undefined;
  spelling: (typeof SPELLINGS)[number]['value'];
};

export const NO_FILTER: ListFilter = {
  category: undefined,
  status: 'open',
  sort: 'trending',
  view: 'cards',
};

export const NO_SEARCH: SearchFilter = {
  query: '',
  category: undefined,
  status: 'any',
  frequency: 'any',
  sort: 'querymatch',
  series: undefined,
  spelling: 'corrected',
};

export function listHref(current: ListFilter, change: Partial<ListFilter>): string {
  return filterHref('/', { ...current, ...change }, NO_FILTER);
}

export function searchHref(current: SearchFilter, change: Partial<SearchFilter>): string {
  return filterHref('/search', { ...current, ...change }, NO_SEARCH);
}

/** The name of a filtered view; undefined for the default view, which need not be saved. */
export function listView(filter: ListFilter): SavedView | undefined {
  const href = listHref(filter, {});
  if (href === '/') return undefined;
  const words = [
    filter.category,
    labelOf(LIST_STATUSES, filter.status, NO_FILTER.status),
    labelOf(LIST_SORTS, filter.sort, NO_FILTER.sort),
    labelOf(LIST_VIEWS, filter.view, NO_FILTER.view),
  ];
  return { href, name: words.filter((word) => word !== undefined).join(', ') };
}

export function searchView(filter: SearchFilter): SavedView {
  const words = [
    `“${filter.query}”`,
    filter.category,
    filter.series,
    labelOf(SEARCH_STATUSES, filter.status, NO_SEARCH.status),
    labelOf(FREQUENCIES, filter.frequency, NO_SEARCH.frequency),
    labelOf(SEARCH_SORTS, filter.sort, NO_SEARCH.sort),
  ];
  return {
    href: searchHref(filter, {}),
    name: words.filter((word) => word !== undefined).join(', '),
  };
}

function labelOf<T extends string>(
  options: readonly { value: T; label: string }[],
  chosen: T,
  usual: T,
): string | undefined {
  return chosen === usual ? undefined : options.find(({ value }) => value === chosen)?.label;
}

export function withPages(href: string, pages: number): string {
  return `${href}${href.includes('?') ? '&' : '?'}pages=${pages}`;
}
