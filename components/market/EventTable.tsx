import { type EventView, telling } from '#lib/market/marketView.ts';
import type { Spark } from '#lib/market/sparkline.ts';
import { EventTableRow } from './EventTableRow.tsx';
import { Sparkline } from './Sparkline.tsx';

type Drawn = { renderedAtMs: number; sparks: ReadonlyMap<string, Spark> };
type EventTableProps = Drawn & { events: EventView[] };

/** The compact list: one row per event, with its most informative outcome. */
export function EventTable({ events, ...drawn }: EventTableProps) {
  return (
    <div className="sheet overflow-hidden">
      <table className="nums w-full text-14 max-md:block">
        <caption className="sr-only">Events and their leading outcomes</caption>
        <thead className="max-md:sr-only">
          <tr className="border-b text-left text-13 text-ink-3 [&>th]:px-3 [&>th]:py-2 [&>th]:font-normal">
            <th scope="col">Event</th>
            <th scope="col" className="text-right">
              Chance
            </th>
            <th scope="col" className="text-right">
              24 h
            </th>
            <th scope="col" className="text-right">
              Traded
            </th>
            <th scope="col" className="text-right">
              Closes in
            </th>
            <th scope="col">
              <span className="sr-only">Prices</span>
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {events.map((event) => (
            <EventRow key={event.eventTicker} event={event} {...drawn} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EventRow({ event, renderedAtMs, sparks }: Drawn & { event: EventView }) {
  const [leading] = telling(event, 1);
  if (!leading) return null;
  const single = event.marketCount === 1;
  return (
    <EventTableRow
      href={single ? `/markets/${leading.ticker}` : `/events/${event.eventTicker}`}
      title={event.title}
      detail={single ? event.category : `${leading.label} and ${event.marketCount - 1} more`}
      volumeContractMicros={event.volumeContractMicros}
      leading={leading}
      line={<Sparkline spark={sparks.get(leading.ticker)} />}
      renderedAtMs={renderedAtMs}
    />
  );
}
