import type { ReactNode } from 'react';
import { EventCard } from '#components/market/EventGrid.tsx';
import { distinctionsOf } from '#components/market/EventTable.tsx';
import { type SearchFilter, searchHref } from '#components/market/listFilter.ts';
import { PageLink } from '#components/ui/PageLink.tsx';
import type { ListedEvent } from '#lib/market/marketView.ts';
import type { Spark } from '#lib/market/sparkline.ts';

type SearchResultsProps = {
  events: ListedEvent[];
  filter: SearchFilter;
  renderedAtMs: number;
  sparks: ReadonlyMap<string, Spark>;
};

/** One event of each series as a card, with a link to the others of its series. */
export function SearchResults({ events, filter, ...drawn }: SearchResultsProps) {
  const distinctions = distinctionsOf(events);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
      {events.map((event) => (
        <EventCard
          key={event.eventTicker}
          event={event}
          distinction={distinctions.get(event.eventTicker)}
          isUnderWay={event.isUnderWay}
          series={{
            count: event.moreInSeries,
            href: searchHref(filter, { series: event.seriesTicker }),
          }}
          {...drawn}
        />
      ))}
    </div>
  );
}

type SearchSummaryProps = {
  filter: SearchFilter;
  total: number;
  correctedQuery: string | undefined;
  /** Of the series that limits the results. */
  seriesTitle: string | undefined;
};

/** How many results there are, for which words, and the way back to the typed ones. */
export function SearchSummary(props: SearchSummaryProps) {
  const { filter, total, correctedQuery, seriesTitle } = props;
  const { query, series } = filter;
  const shown = correctedQuery ?? query;
  const count = total === 1 ? '1 result' : `${total} results`;
  return (
    <div className="mb-4 text-14 text-ink-2">
      <p role="status" className="nums">
        {correctedQuery === undefined ? (
          `${count}${query === '' ? '' : ` for “${shown}”`}`
        ) : (
          <>
            Showing results for <strong className="text-ink">“{shown}”</strong>: {count}
          </>
        )}
        {series !== undefined && ` in ${seriesTitle ?? series}`}
      </p>
      {correctedQuery !== undefined && (
        <SummaryLink href={searchHref(filter, { spelling: 'exact' })}>
          Search for “{query}” instead
        </SummaryLink>
      )}
      {series !== undefined && query !== '' && (
        <SummaryLink href={searchHref(filter, { series: undefined })}>
          All results for “{shown}”
        </SummaryLink>
      )}
    </div>
  );
}

function SummaryLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <PageLink href={href} className="inline-flex min-h-11 items-center underline md:min-h-8">
      {children}
    </PageLink>
  );
}
