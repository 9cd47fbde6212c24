import { EventGrid, marketsOn, tickersOn } from '#components/market/EventGrid.tsx';
import { type FrontMarkets, Highlights } from '#components/market/Highlights.tsx';
import { ListFilters } from '#components/market/ListFilters.tsx';
import { ListKeyNavigation } from '#components/market/ListKeyNavigation.tsx';
import { LivePrices } from '#components/market/LivePrices.tsx';
import {
  LIST_SORTS,
  LIST_STATUSES,
  LIST_VIEWS,
  type ListFilter,
  listHref,
  withPages,
} from '#components/market/listFilter.ts';
import { MoreLink } from '#components/market/MoreLink.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import {
  closingNext,
  listEventCards,
  marketCategories,
  movers,
  sparksOf,
} from '../_data/markets.ts';
import {
  GROWING_PAGES,
  MOST_PAGES,
  oneOf,
  type PageParams,
  pageCount,
  text,
} from '../_data/params.ts';

/** A few screens of a phone; the list grows on scrolling. */
const PAGE_SIZE = 12;
const HIGHLIGHTS = 4;

function readFilter(params: PageParams): ListFilter {
  return {
    category: text(params, 'category'),
    status: oneOf(params, 'status', LIST_STATUSES),
    sort: oneOf(params, 'sort', LIST_SORTS),
    view: oneOf(params, 'view', LIST_VIEWS),
  };
}

/** Shown on the front page only: a visitor with filters knows what to look for. */
async function frontMarkets(): Promise<FrontMarkets> {
  const [moving, closing] = await Promise.all([movers(HIGHLIGHTS), closingNext(HIGHLIGHTS)]);
  return { movers: moving, closing };
}

export default async function MarketsPage(props: { searchParams: Promise<PageParams> }) {
  const params = await props.searchParams;
  const filter = readFilter(params);
  const pages = pageCount(params);
  const isFront = listHref(filter, { view: 'cards' }) === '/';
  const [page, categories, front] = await Promise.all([
    listEventCards({ ...filter, pageSize: PAGE_SIZE * pages }),
    marketCategories(),
    isFront ? frontMarkets() : undefined,
  ]);
  const sparks = await sparksOf([...marketsOn(page.events), ...(front?.movers ?? [])]);
  const renderedAtMs = Date.now();
  return (
    <>
      <h1 className="sr-only">Markets</h1>
      {front && <Highlights {...front} renderedAtMs={renderedAtMs} sparks={sparks} />}
      <ListFilters filter={filter} categories={categories} />
      {page.events.length === 0 ? (
        <EmptyState title="No markets found" link={{ href: '/', label: 'Show all open markets' }}>
          No markets match these filters.
        </EmptyState>
      ) : (
        <>
          <EventGrid
            events={page.events}
            view={filter.view}
            renderedAtMs={renderedAtMs}
            sparks={sparks}
          />
          <ListKeyNavigation />
          {filter.status === 'open' && <LivePrices tickers={tickersOn(page.events)} />}
        </>
      )}
      {page.hasMore && pages < MOST_PAGES && (
        <MoreLink
          label="More markets"
          href={withPages(listHref(filter, {}), pages + 1)}
          isAutomatic={pages < GROWING_PAGES}
        />
      )}
    </>
  );
}
