import Link from 'next/link';
import { EventGrid } from '#components/market/EventGrid.tsx';
import {
  LIST_SORTS,
  LIST_STATUSES,
  type ListFilter,
  ListFilters,
  listHref,
} from '#components/market/ListFilters.tsx';
import { LiveEvents } from '#components/market/LiveEvents.tsx';
import { buttonStyle } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { listEventCards, marketCategories } from './_data/markets.ts';
import { oneOf, type PageParams, text } from './_data/params.ts';

const PAGE_SIZE = 24;

function readFilter(params: PageParams): ListFilter {
  return {
    category: text(params, 'category'),
    status: oneOf(params, 'status', LIST_STATUSES),
    sort: oneOf(params, 'sort', LIST_SORTS),
  };
}

function nextHref(filter: ListFilter, cursor: string): string {
  const href = listHref(filter, {});
  return `${href}${href.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
}

export default async function MarketsPage(props: { searchParams: Promise<PageParams> }) {
  const params = await props.searchParams;
  const filter = readFilter(params);
  const [page, categories] = await Promise.all([
    listEventCards({ ...filter, pageSize: PAGE_SIZE, cursor: text(params, 'cursor') }),
    marketCategories(),
  ]);
  const renderedAtMs = Date.now();
  return (
    <>
      <h1 className="sr-only">Markets</h1>
      <ListFilters filter={filter} categories={categories} />
      {page.events.length === 0 ? (
        <EmptyState
          title="No markets here"
          action={
            <Link href="/" className={buttonStyle('outline')}>
              Show all open markets
            </Link>
          }
        >
          Nothing matches this choice at the moment.
        </EmptyState>
      ) : (
        <LiveEvents events={page.events} status={filter.status} renderedAtMs={renderedAtMs}>
          <EventGrid events={page.events} renderedAtMs={renderedAtMs} />
        </LiveEvents>
      )}
      {page.nextCursor !== '' && (
        <div className="mt-6 text-center">
          <Link href={nextHref(filter, page.nextCursor)} className={buttonStyle('outline')}>
            More markets
          </Link>
        </div>
      )}
    </>
  );
}
