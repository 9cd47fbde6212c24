import type { EventView } from '#lib/market/marketView.ts';
import { EventCard } from './EventCard.tsx';

/** Events side by side; the same on the server and, with moving prices, in the browser. */
export function EventGrid({ events, renderedAtMs }: { events: EventView[]; renderedAtMs: number }) {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {events.map((event) => (
        <EventCard key={event.eventTicker} event={event} renderedAtMs={renderedAtMs} />
      ))}
    </div>
  );
}
