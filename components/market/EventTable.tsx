import { PageLink } from '#components/ui/PageLink.tsx';
import { distinctionsIn } from '#lib/market/distinctions.ts';
import { type EventView, type ListedEvent, mostInformative } from '#lib/market/marketView.ts';
import type { Spark } from '#lib/market/sparkline.ts';
import { ListingPicture } from './ListingPicture.tsx';
import {
  LiveChance,
  LiveMarketPrices,
  LivePriceChange,
  LiveTimeLeft,
} from './LiveMarketFields.tsx';
import type { ListFilter } from './listFilter.ts';
import { SORT_COLUMNS, SortFigure } from './SortFigure.tsx';
import { Sparkline } from './Sparkline.tsx';

/** An event with one market opens that market. */
export function hrefOf({ eventTicker, marketCount, markets: [first] }: EventView): string {
  return marketCount === 1 && first ? `/markets/${first.ticker}` : `/events/${eventTicker}`;
}

/** What tells events with equal titles apart, by ticker. */
export function distinctionsOf(events: readonly EventView[]): ReadonlyMap<string, string> {
  return distinctionsIn(
    events.map(({ eventTicker, markets: [first], ...event }) => ({
      ...event,
      ticker: eventTicker,
      endTime: first?.expectedEndTime,
    })),
  );
}

type Drawn = {
  sort: ListFilter['sort'];
  renderedAtMs: number;
  sparks: ReadonlyMap<string, Spark>;
  /** Lists the other events of the series that an event leads. */
  seriesHref: (event: ListedEvent) => string;
};
type EventTableProps = Drawn & { events: ListedEvent[] };

export function EventTable({ events, ...drawn }: EventTableProps) {
  const distinctions = distinctionsOf(events);
  return (
    <div className="sheet overflow-hidden">
      <table className="nums w-full text-14 max-md:block">
        <caption className="sr-only">Events and their leading outcomes</caption>
        <thead className="max-md:sr-only">
          <tr className="border-b text-left text-13 text-ink-3 [&>th]:px-3 [&>th]:py-2 [&>th]:font-normal">
            <th scope="col">Event</th>
            {['Chance', '24 h', SORT_COLUMNS[drawn.sort].title, 'Closes in'].map((column) => (
              <th key={column} scope="col" className="text-right">
                {column}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">Prices</span>
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {events.map((event) => (
            <EventRow
              key={event.eventTicker}
              event={event}
              distinction={distinctions.get(event.eventTicker)}
              {...drawn}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type EventRowProps = Drawn & { event: ListedEvent; distinction: string | undefined };

function EventRow(props: EventRowProps) {
  const { event, distinction, sort, renderedAtMs, sparks, seriesHref } = props;
  const [leading] = mostInformative(event, 1);
  if (!leading) return null;
  const similar = `${event.moreInSeries} more ${event.moreInSeries === 1 ? 'event' : 'events'}`;
  const single = event.marketCount === 1;
  return (
    <tr className="border-b last:border-b-0 hover:bg-sunken max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto_auto] max-[23rem]:grid-cols-[minmax(0,1fr)_auto] max-md:items-center max-md:gap-x-3 max-md:px-4 max-md:py-2 md:[&>td]:px-3 md:[&>td]:py-1.5 md:[&>th]:px-3 md:[&>th]:py-1.5">
      <th
        scope="row"
        className="max-w-[26.25rem] text-left font-normal max-[23rem]:col-span-full max-md:max-w-none"
      >
        <div className="flex items-center gap-3">
          {/* The smallest screens and the largest type have no room for it. */}
          <ListingPicture
            picture={event.picture}
            category={event.category}
            className="size-8 max-[23rem]:hidden"
          />
          <div className="min-w-0">
            <PageLink
              href={hrefOf(event)}
              className="wrap-anywhere font-medium hover:underline hover:underline-offset-4"
            >
              {event.title}
            </PageLink>
            <span className="wrap-anywhere block text-13 text-ink-3">
              {distinction && `${distinction} · `}
              {single ? (
                event.category
              ) : (
                <>
                  <span className="font-medium text-ink-2">{leading.label}</span> and{' '}
                  {event.marketCount - 1} more
                </>
              )}
            </span>
            {event.moreInSeries > 0 && (
              <span className="block text-13 text-ink-2">
                <PageLink
                  href={seriesHref(event)}
                  aria-label={`${similar} like “${event.title}”`}
                  className="tap underline-offset-4 hover:underline"
                >
                  {similar}
                </PageLink>
              </span>
            )}
            <span className="nums block text-13 text-ink-3 md:hidden">
              <SortFigure sort={sort} event={event} renderedAtMs={renderedAtMs} />
            </span>
          </div>
        </div>
      </th>
      <td className="text-right max-[23rem]:text-left font-semibold text-15">
        <LiveChance market={leading} />
        {leading.isScalar && (
          <span className="block font-normal text-12 text-ink-3">expected payout</span>
        )}
      </td>
      <td className="text-right text-13 max-md:w-[4.5rem]">
        <div className="flex items-center justify-end gap-2.5 max-md:flex-col max-md:items-end max-md:gap-0">
          <Sparkline spark={sparks.get(leading.ticker)} />
          <span className="md:w-[2rem]">
            <LivePriceChange market={leading} />
          </span>
        </div>
      </td>
      <td className="text-right text-ink-2 max-md:hidden">
        {SORT_COLUMNS[sort].value(event, renderedAtMs)}
      </td>
      <td className="whitespace-nowrap text-right text-ink-2 max-md:hidden">
        <LiveTimeLeft market={leading} renderedAtMs={renderedAtMs} />
      </td>
      <td className="max-md:col-span-full max-md:mt-2">
        <div className="flex justify-end gap-1.5 max-md:[&>a]:flex-1">
          <LiveMarketPrices market={leading} />
        </div>
      </td>
    </tr>
  );
}
