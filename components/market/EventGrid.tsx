import type { EventView } from '#lib/market/marketView.ts';
import { EventCard } from './EventCard.tsx';
import { EventTable } from './EventTable.tsx';
import type { ListView } from './listFilter.ts';

type EventGridProps = { events: EventView[]; view: ListView; renderedAtMs: number };

/** Events as cards or lines; the same on the server and, with moving prices, in the browser. */
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
