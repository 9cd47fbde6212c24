import { type EventView, telling } from '#lib/market/marketView.ts';
import { EventCard, SHOWN_MARKETS } from './EventCard.tsx';
import { EventTable } from './EventTable.tsx';
import type { ListView } from './listFilter.ts';

type EventGridProps = { events: EventView[]; view: ListView; renderedAtMs: number };

/** Events as cards or lines, with the prices as they are known; those on them that move do so alone. */
export function EventGrid({ events, view, renderedAtMs }: EventGridProps) {
  if (view === 'table') return <EventTable events={events} renderedAtMs={renderedAtMs} />;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {events.map((event) => (
        <EventCard key={event.eventTicker} event={event} renderedAtMs={renderedAtMs} />
      ))}
    </div>
  );
}

/** The markets whose prices are on it. */
export function tickersOn(events: readonly EventView[]): string[] {
  return events.flatMap((event) => telling(event, SHOWN_MARKETS).map(({ ticker }) => ticker));
}
