import { useQueries, useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { useDistinctions } from '#components/order/useDistinctions.ts';
import { Notice } from '#components/ui/Notice.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import {
  byEvent,
  type HeldEvent,
  untitledEvents,
  wordsUnder,
} from '#lib/browser/portfolio/positionEvents.ts';
import { eventsOfMarketsQuery, eventTitleQuery } from '#lib/browser/queries/names.ts';
import { dollarsDown } from '#lib/format/money.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { Amount, PnL } from './Amount.tsx';
import {
  HeldRow,
  PositionCell,
  PositionList,
  PositionRows,
  PositionTable,
  SortHeads,
} from './PositionList.tsx';
import type { PortfolioFilter } from './portfolioFilter.ts';

type EventListProps = { positions: PositionView[]; filter: PortfolioFilter };

const TITLE = 'Positions by event';

export function EventList({ positions, filter }: EventListProps) {
  const { known, hasFailed } = useEvents(positions);
  const events = known ? byEvent(positions, known, filter) : [];
  const distinctions = useDistinctions(
    events.map(({ title, positions: [first] }) => ({ ticker: first?.marketId ?? '', title })),
  );
  if (hasFailed) {
    return (
      <>
        <Notice tone="caution">Events could not be loaded.</Notice>
        <PositionList title="Positions" positions={positions} filter={filter} />
      </>
    );
  }
  if (!known) return <div className="skeleton h-40" role="status" aria-label="Loading" />;
  return (
    <PositionTable title={TITLE} heads={<SortHeads filter={filter} />}>
      {events.map((event) => (
        <PositionRows key={event.href}>
          <EventRow
            event={event}
            distinction={distinctions.get(event.positions[0]?.marketId ?? '')}
          />
          {event.positions.map((position) => (
            <HeldRow
              key={position.tokenId}
              position={position}
              words={wordsUnder(event.title, position)}
            />
          ))}
        </PositionRows>
      ))}
    </PositionTable>
  );
}

/** The head of an event's positions: its title, value and profit. */
type EventRowProps = { event: HeldEvent; distinction: string | undefined };

function EventRow({ event, distinction }: EventRowProps) {
  const count = event.positions.length;
  return (
    <tr className="border-b bg-sunken max-md:grid max-md:grid-cols-3 max-md:gap-x-3 max-md:gap-y-2 max-md:px-4 max-md:py-3">
      <th
        scope="rowgroup"
        colSpan={4}
        className="px-4 py-2 text-left font-normal max-md:col-span-full max-md:p-0"
      >
        <PageLink
          href={event.href}
          className="font-semibold hover:underline hover:underline-offset-4 max-md:block"
        >
          {event.title}
        </PageLink>
        <span className="text-13 text-ink-3 md:ml-2">
          {distinction && `${distinction} · `}
          {count === 1 ? '1 position' : `${count} positions`}
        </span>
      </th>
      <PositionCell label="Value">
        <span className="font-medium">
          <Amount>{dollarsDown(event.valueMicros)}</Amount>
        </span>
      </PositionCell>
      <PositionCell label="P&L">
        <span className="font-medium">
          <PnL {...event} />
        </span>
      </PositionCell>
      <td className="max-md:hidden" />
    </tr>
  );
}

/**
 * The events of these positions; `undefined` until they are known. Requests all of them at once,
 * and an event's title only if its markets do not contain it: if the title fails to load, a
 * market's title replaces it.
 */
function useEvents(positions: readonly PositionView[]) {
  const { api } = useApp();
  const tickers = [...new Set(positions.map(({ marketId }) => marketId))].sort();
  const events = useQuery(eventsOfMarketsQuery(api, tickers));
  const eventOf = events.data ?? {};
  const untitled = untitledEvents(positions, eventOf);
  const found = useQueries({ queries: untitled.map((ticker) => eventTitleQuery(api, ticker)) });
  const titles = untitled.flatMap((ticker, index) => {
    const title = found[index]?.data;
    return title === undefined ? [] : [[ticker, title] as const];
  });
  const isKnown = events.data !== undefined && !found.some(({ isPending }) => isPending);
  return {
    known: isKnown ? { eventOf, titles: Object.fromEntries(titles) } : undefined,
    hasFailed: events.isError && !events.data,
  };
}
