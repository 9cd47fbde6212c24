import type { ListedEvent } from '#lib/market/marketView.ts';
import type { Spark } from '#lib/market/sparkline.ts';
import { EventCard } from './EventGrid.tsx';

type UnderWayProps = {
  events: ListedEvent[];
  renderedAtMs: number;
  sparks: ReadonlyMap<string, Spark>;
};

/** Events that take place now, such as games. */
export function UnderWay({ events, ...drawn }: UnderWayProps) {
  if (events.length === 0) return null;
  return (
    <section aria-labelledby="under-way" className="mb-10">
      <h2 id="under-way" className="mb-3 font-semibold text-20 tracking-[-0.01em]">
        Under way now
      </h2>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[repeat(auto-fit,minmax(24rem,1fr))]">
        {events.map((event) => (
          <EventCard key={event.eventTicker} event={event} isUnderWay {...drawn} />
        ))}
      </div>
    </section>
  );
}
