import { type EventView, type MarketView, telling } from '#lib/market/marketView.ts';
import type { Spark } from '#lib/market/sparkline.ts';
import { EventCard, SHOWN_MARKETS } from './EventCard.tsx';
import { EventTable } from './EventTable.tsx';
import type { ListView } from './listFilter.ts';

type EventGridProps = {
  events: EventView[];
  view: ListView;
  renderedAtMs: number;
  /** The last day of its markets, by ticker; if absent, no sparkline is drawn. */
  sparks?: ReadonlyMap<string, Spark>;
};

const NO_SPARKS: ReadonlyMap<string, Spark> = new Map();

/**
 * Events as cards or rows with their latest prices; a changed price re-renders only its own row.
 */
export function EventGrid(props: EventGridProps) {
  const { events, view, renderedAtMs, sparks = NO_SPARKS } = props;
  if (view === 'table') {
    return <EventTable events={events} renderedAtMs={renderedAtMs} sparks={sparks} />;
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
      {events.map((event) => (
        <EventCard
          key={event.eventTicker}
          event={event}
          renderedAtMs={renderedAtMs}
          sparks={sparks}
        />
      ))}
    </div>
  );
}

/** The markets whose prices it shows. */
export function marketsOn(events: readonly EventView[]): MarketView[] {
  return events.flatMap((event) => telling(event, SHOWN_MARKETS));
}

export function tickersOn(events: readonly EventView[]): string[] {
  return marketsOn(events).map(({ ticker }) => ticker);
}
