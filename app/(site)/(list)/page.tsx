import type { Metadata } from 'next';
import { Introduction } from '#components/guide/Introduction.tsx';
import { EventList, gamesOn, marketsOn, tickersOn } from '#components/market/EventGrid.tsx';
import { FeaturedEvent } from '#components/market/FeaturedEvent.tsx';
import { Highlights } from '#components/market/Highlights.tsx';
import { ListFilters } from '#components/market/ListFilters.tsx';
import { ListKeyNavigation } from '#components/market/ListKeyNavigation.tsx';
import { LivePrices } from '#components/market/LivePrices.tsx';
import {
  LIST_SORTS,
  LIST_STATUSES,
  LIST_VIEWS,
  type ListFilter,
  listHref,
  NO_SEARCH,
  searchHref,
  withPages,
} from '#components/market/listFilter.ts';
import { MoreLink } from '#components/market/MoreLink.tsx';
import { UnderWay } from '#components/market/UnderWay.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { featuredEvent } from '../_data/featured.ts';
import { feeExample } from '../_data/fees.ts';
import { frontMarkets } from '../_data/frontPage.ts';
import { listEventCards, marketCategories, sparksOf } from '../_data/markets.ts';
import { pageMetadata } from '../_data/pageMetadata.ts';
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
/** The price of the introduction's example. */
const EXAMPLE_CENTS = 60n;

function readFilter(params: PageParams): ListFilter {
  return {
    category: text(params, 'category'),
    status: oneOf(params, 'status', LIST_STATUSES),
    sort: oneOf(params, 'sort', LIST_SORTS),
    view: oneOf(params, 'view', LIST_VIEWS),
  };
}

export async function generateMetadata(props: {
  searchParams: Promise<PageParams>;
}): Promise<Metadata> {
  const { category } = readFilter(await props.searchParams);
  const { title, ...rest } = pageMetadata({
    path: category === undefined ? '/' : `/?category=${encodeURIComponent(category)}`,
    title: category === undefined ? 'Crossbook: prediction markets' : `${category} markets`,
    description: 'Trade prediction markets in USDC from a smart account that only you own.',
  });
  return { ...rest, ...(category === undefined ? {} : { title }) };
}

export default async function MarketsPage(props: { searchParams: Promise<PageParams> }) {
  const params = await props.searchParams;
  const filter = readFilter(params);
  const pages = pageCount(params);
  const isFront = listHref(filter, { view: 'cards' }) === '/';
  const [page, categories, front] = await Promise.all([
    // One more on the front page, which features one of them.
    listEventCards({ ...filter, pageSize: PAGE_SIZE * pages + (isFront ? 1 : 0) }),
    marketCategories(),
    isFront ? frontMarkets() : undefined,
  ]);
  const featured = isFront ? await featuredEvent(page.events) : undefined;
  const listed = page.events
    .filter(({ eventTicker }) => eventTicker !== featured?.event.eventTicker)
    .slice(0, PAGE_SIZE * pages);
  const cards = [...page.events, ...(front?.underWay ?? [])];
  const shown = front?.strips.flatMap(({ lines }) => lines.map(({ market }) => market)) ?? [];
  const sparks = await sparksOf([...marketsOn(cards), ...shown]);
  const renderedAtMs = Date.now();
  return (
    <>
      <h1 className="sr-only">Markets</h1>
      {front && (
        <>
          <Introduction example={feeExample(EXAMPLE_CENTS)} />
          {featured && <FeaturedEvent {...featured} renderedAtMs={renderedAtMs} />}
          <Highlights strips={front.strips} renderedAtMs={renderedAtMs} sparks={sparks} />
          <UnderWay events={front.underWay} renderedAtMs={renderedAtMs} sparks={sparks} />
          <h2 className="mb-2 font-semibold text-20 tracking-[-0.01em]">All markets</h2>
        </>
      )}
      <ListFilters filter={filter} categories={categories} />
      {page.events.length === 0 ? (
        <EmptyState title="No markets found" link={{ href: '/', label: 'Show all open markets' }}>
          No markets match these filters.
        </EmptyState>
      ) : (
        <>
          <EventList
            events={listed}
            filter={filter}
            seriesHref={({ seriesTicker }) =>
              searchHref(NO_SEARCH, { series: seriesTicker, status: filter.status })
            }
            renderedAtMs={renderedAtMs}
            sparks={sparks}
          />
          <ListKeyNavigation />
          {filter.status === 'open' && (
            <LivePrices tickers={tickersOn(cards)} games={gamesOn(cards)} />
          )}
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
