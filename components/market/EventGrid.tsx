import { Until } from '#components/ui/Durations.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { contractsShort } from '#lib/format/money.ts';
import { type EventView, type MarketView, telling } from '#lib/market/marketView.ts';
import type { Spark } from '#lib/market/sparkline.ts';
import { EndsIn } from './EndsIn.tsx';
import { StarIcon } from './icons.tsx';
import {
  LiveChance,
  LiveChanceBar,
  LiveMarketPrices,
  LiveMove,
  LivePriceChange,
  LiveTimeLeft,
} from './LiveMarketFields.tsx';
import type { ListView } from './listFilter.ts';
import { Sparkline } from './Sparkline.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import { WatchStar } from './WatchStar.tsx';

type EventGridProps = {
  events: EventView[];
  view: ListView;
  renderedAtMs: number;
  /** The last day of its markets, by ticker; if absent, no sparkline is drawn. */
  sparks?: ReadonlyMap<string, Spark>;
};

const NO_SPARKS: ReadonlyMap<string, Spark> = new Map();

/** A changed price re-renders only its own row. */
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

export function marketsOn(events: readonly EventView[]): MarketView[] {
  return events.flatMap((event) => telling(event, SHOWN_MARKETS));
}

export function tickersOn(events: readonly EventView[]): string[] {
  return marketsOn(events).map(({ ticker }) => ticker);
}

const SHOWN_MARKETS = 3;

type EventCardProps = {
  event: EventView;
  renderedAtMs: number;
  sparks: ReadonlyMap<string, Spark>;
};

export function EventCard({ event, renderedAtMs, sparks }: EventCardProps) {
  const shown = telling(event, SHOWN_MARKETS);
  const more = event.marketCount - shown.length;
  const first = event.markets[0];
  const single = event.marketCount === 1;
  const href = hrefOf(event);
  return (
    <article className="sheet event-card flex flex-col">
      <header className="px-4 pt-3 pb-3 md:px-5">
        <div className="flex min-h-8 items-center gap-2 text-13 text-ink-3">
          <span className="mr-auto">{event.category}</span>
          {first && <CardClock market={first} renderedAtMs={renderedAtMs} />}
          <WatchStar
            eventTicker={event.eventTicker}
            title={event.title}
            className="-mr-3 -my-1.5 md:-mr-2"
          >
            <StarIcon />
          </WatchStar>
        </div>
        <h2 className="text-balance font-semibold text-17 leading-snug tracking-[-0.005em]">
          <PageLink href={href} className="hover:underline hover:underline-offset-4">
            {event.title}
          </PageLink>
        </h2>
        {event.subtitle && <p className="mt-0.5 text-13 text-ink-3">{event.subtitle}</p>}
      </header>
      <ul className="flex-1">
        {shown.map((market) => (
          <MarketRow
            key={market.ticker}
            market={market}
            single={single}
            spark={sparks.get(market.ticker)}
          />
        ))}
      </ul>
      <footer className="flex items-center justify-between border-t px-4 py-2.5 text-13 text-ink-3 md:px-5">
        <span className="nums">{contractsShort(event.volumeContractMicros)} contracts traded</span>
        {more > 0 && (
          <PageLink href={href} className="py-1 font-medium text-ink-2 hover:text-ink">
            {more} more {more === 1 ? 'outcome' : 'outcomes'}
          </PageLink>
        )}
      </footer>
    </article>
  );
}

/** An event with one market opens that market. */
function hrefOf({ eventTicker, marketCount, markets: [first] }: EventView): string {
  return marketCount === 1 && first ? `/markets/${first.ticker}` : `/events/${eventTicker}`;
}

function CardClock({ market, renderedAtMs }: { market: MarketView; renderedAtMs: number }) {
  const { status, openTime } = market;
  if (status !== 'open' && status !== 'unopened') return <StatusBadge status={status} />;
  return (
    <span>
      {status === 'open' ? (
        <EndsIn market={market} renderedAtMs={renderedAtMs} />
      ) : (
        <>
          Opens in <Until at={openTime} renderedAtMs={renderedAtMs} />
        </>
      )}
    </span>
  );
}

type MarketRowProps = { market: MarketView; single: boolean; spark: Spark | undefined };

function MarketRow({ market, single, spark }: MarketRowProps) {
  return (
    <li className="outcome-row border-t px-4 py-3 md:px-5">
      <div className="flex min-w-0 items-baseline gap-2 [grid-area:label]">
        <PageLink
          href={`/markets/${market.ticker}`}
          className="line-clamp-2 min-w-0 text-14 hover:underline hover:underline-offset-4"
        >
          {single && market.label === market.title ? 'Chance of Yes' : market.label}
        </PageLink>
        <LiveMove market={market} />
      </div>
      <Sparkline spark={spark} />
      <div className="[grid-area:rule]">
        <LiveChanceBar market={market} />
      </div>
      <div className="nums text-right font-semibold text-18 [grid-area:chance]">
        <LiveChance market={market} />
      </div>
      <div className="flex gap-1.5 [grid-area:prices]">
        <LiveMarketPrices market={market} />
      </div>
    </li>
  );
}

type Drawn = { renderedAtMs: number; sparks: ReadonlyMap<string, Spark> };
type EventTableProps = Drawn & { events: EventView[] };

export function EventTable({ events, ...drawn }: EventTableProps) {
  return (
    <div className="sheet overflow-hidden">
      <table className="nums w-full text-14 max-md:block">
        <caption className="sr-only">Events and their leading outcomes</caption>
        <thead className="max-md:sr-only">
          <tr className="border-b text-left text-13 text-ink-3 [&>th]:px-3 [&>th]:py-2 [&>th]:font-normal">
            <th scope="col">Event</th>
            {['Chance', '24 h', 'Traded', 'Closes in'].map((column) => (
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
    <tr className="border-b last:border-b-0 hover:bg-sunken max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto_auto] max-md:items-center max-md:gap-x-3 max-md:px-4 max-md:py-2 md:[&>td]:px-3 md:[&>td]:py-1.5 md:[&>th]:px-3 md:[&>th]:py-1.5">
      <th scope="row" className="max-w-[26.25rem] text-left font-normal max-md:max-w-none">
        <PageLink
          href={hrefOf(event)}
          className="line-clamp-2 font-medium hover:underline hover:underline-offset-4 md:line-clamp-1"
        >
          {event.title}
        </PageLink>
        <span className="block truncate text-13 text-ink-3">
          {single ? event.category : `${leading.label} and ${event.marketCount - 1} more`}
        </span>
      </th>
      <td className="text-right font-semibold text-15">
        <LiveChance market={leading} />
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
        {contractsShort(event.volumeContractMicros)}
      </td>
      <td className="whitespace-nowrap text-right text-ink-2 max-md:hidden">
        <LiveTimeLeft market={leading} renderedAtMs={renderedAtMs} />
      </td>
      <td className="max-md:hidden">
        <div className="flex justify-end gap-1.5">
          <LiveMarketPrices market={leading} />
        </div>
      </td>
    </tr>
  );
}
