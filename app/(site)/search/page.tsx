import type { Metadata } from 'next';
import Form from 'next/form';
import { gamesOn, marketsOn, tickersOn } from '#components/market/EventGrid.tsx';
import { ChoiceLinks } from '#components/market/FilterLinks.tsx';
import { SavedIcon } from '#components/market/icons.tsx';
import { ListKeyNavigation } from '#components/market/ListKeyNavigation.tsx';
import { LivePrices } from '#components/market/LivePrices.tsx';
import {
  FREQUENCIES,
  NO_SEARCH,
  SEARCH_SORTS,
  SEARCH_STATUSES,
  type SearchFilter,
  SPELLINGS,
  searchHref,
  searchView,
  withPages,
} from '#components/market/listFilter.ts';
import { MoreLink } from '#components/market/MoreLink.tsx';
import { SavedViewsMenu } from '#components/market/SavedViewsMenu.tsx';
import { SearchResults, SearchSummary } from '#components/search/SearchResults.tsx';
import { Button } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { marketCategories, searchEventCards, sparksOf } from '../_data/markets.ts';
import {
  GROWING_PAGES,
  MOST_PAGES,
  oneOf,
  type PageParams,
  pageCount,
  text,
} from '../_data/params.ts';

const MAX_QUERY = 200;
const PAGE_SIZE = 24;
const MOVING: readonly SearchFilter['status'][] = ['any', 'open'];

function readFilter(params: PageParams): SearchFilter {
  return {
    query: (text(params, 'query') ?? text(params, 'q') ?? '').slice(0, MAX_QUERY),
    category: text(params, 'category'),
    status: oneOf(params, 'status', SEARCH_STATUSES),
    frequency: oneOf(params, 'frequency', FREQUENCIES),
    sort: oneOf(params, 'sort', SEARCH_SORTS),
    series: text(params, 'series'),
    spelling: oneOf(params, 'spelling', SPELLINGS),
  };
}

/** Whether any filter besides the text limits the results. */
function isNarrowed({ category, status, frequency, series }: SearchFilter): boolean {
  return [category, series].some(Boolean) || status !== 'any' || frequency !== 'any';
}

type SearchPageProps = { searchParams: Promise<PageParams> };

export async function generateMetadata(props: SearchPageProps): Promise<Metadata> {
  const { query } = readFilter(await props.searchParams);
  return { title: query === '' ? 'Search' : `Search: ${query}`, robots: { index: false } };
}

export default async function SearchPage(props: SearchPageProps) {
  const params = await props.searchParams;
  const filter = readFilter(params);
  const { query } = filter;
  const pages = pageCount(params);
  const [found, categories] = await Promise.all([
    query === '' && filter.series === undefined
      ? undefined
      : searchEventCards(filter, PAGE_SIZE * pages),
    marketCategories(),
  ]);
  const sparks = await sparksOf(marketsOn(found?.events ?? []));
  const renderedAtMs = Date.now();
  return (
    <>
      <h1 className="mb-4 font-semibold text-26 tracking-[-0.015em]">Search</h1>
      <Form
        action="/search"
        role="search"
        aria-label="All markets"
        className="mb-3 flex max-w-xl gap-2"
      >
        <input
          key={query}
          name="query"
          type="search"
          defaultValue={query}
          maxLength={MAX_QUERY}
          aria-label="Search term"
          placeholder="Search markets"
          autoComplete="off"
          className="min-h-11 min-w-0 flex-1 rounded-md border border-line bg-surface px-4 placeholder:text-ink-3 hover:border-line-strong"
        />
        <Button type="submit" tone="primary">
          Search
        </Button>
      </Form>
      {found && <SearchFilters filter={filter} categories={categories} />}
      {found && (
        <SearchSummary
          filter={filter}
          total={found.total}
          correctedQuery={found.correctedQuery}
          seriesTitle={found.events[0]?.seriesTitle}
        />
      )}
      {found?.total === 0 && (
        <EmptyState
          title="No results"
          link={
            isNarrowed(filter)
              ? { href: searchHref(NO_SEARCH, { query }), label: 'Clear filters' }
              : { href: '/', label: 'Show all open markets' }
          }
        >
          Try fewer or different words. Small typos are fine.
        </EmptyState>
      )}
      {found && found.total > 0 && (
        <>
          <SearchResults
            events={found.events}
            filter={filter}
            renderedAtMs={renderedAtMs}
            sparks={sparks}
          />
          <ListKeyNavigation />
          {MOVING.includes(filter.status) && (
            <LivePrices tickers={tickersOn(found.events)} games={gamesOn(found.events)} />
          )}
        </>
      )}
      {found?.hasMore && pages < MOST_PAGES && (
        <MoreLink
          label="More results"
          href={withPages(searchHref(filter, {}), pages + 1)}
          isAutomatic={pages < GROWING_PAGES}
        />
      )}
    </>
  );
}

function SearchFilters({ filter, categories }: { filter: SearchFilter; categories: string[] }) {
  const options = [
    { value: '', label: 'Any' },
    ...categories.map((category) => ({ value: category, label: category })),
  ];
  return (
    <div className="relative mb-3 flex flex-wrap gap-x-5 border-b pb-2">
      <ChoiceLinks
        label="Status"
        options={SEARCH_STATUSES}
        current={filter.status}
        href={(status) => searchHref(filter, { status })}
      />
      <ChoiceLinks
        label="Category"
        options={options}
        current={filter.category ?? ''}
        href={(category) => searchHref(filter, { category })}
      />
      <ChoiceLinks
        label="Frequency"
        options={FREQUENCIES}
        current={filter.frequency}
        href={(frequency) => searchHref(filter, { frequency })}
      />
      <ChoiceLinks
        label="Sort"
        options={SEARCH_SORTS}
        current={filter.sort}
        href={(sort) => searchHref(filter, { sort })}
      />
      <SavedViewsMenu view={searchView(filter)} icon={<SavedIcon />} />
    </div>
  );
}
