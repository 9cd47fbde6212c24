import type { ReactNode } from 'react';
import { Until } from '#components/ui/Durations.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import type { Score } from '#lib/api/schemas/market.ts';
import {
  type EventView,
  type ListedEvent,
  type MarketView,
  mostInformative,
} from '#lib/market/marketView.ts';
import { groupOutcomes, type OutcomeGroup } from '#lib/market/outcomeGroups.ts';
import type { Spark } from '#lib/market/sparkline.ts';
import { EndsIn } from './EndsIn.tsx';
import { distinctionsOf, EventTable, hrefOf } from './EventTable.tsx';
import { StarIcon } from './icons.tsx';
import { ListingPicture } from './ListingPicture.tsx';
import { LiveChance, LiveChanceBar, LiveMarketPrices, LiveMove } from './LiveMarketFields.tsx';
import type { ListFilter } from './listFilter.ts';
import { MarketRow } from './MarketRow.tsx';
import { Scoreboard } from './Scoreboard.tsx';
import { SortFigure, Traded } from './SortFigure.tsx';
import { Sparkline } from './Sparkline.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import { WatchStar } from './WatchStar.tsx';

type Drawn = {
  renderedAtMs: number;
  /** The last day of its markets, by ticker; if absent, no sparkline is drawn. */
  sparks?: ReadonlyMap<string, Spark>;
};

const NO_SPARKS: ReadonlyMap<string, Spark> = new Map();

type EventGridProps<T> = Drawn & {
  events: T[];
  /** What the cards of a list show beyond the event. */
  listed?: (event: T) => Pick<EventCardProps, 'figure' | 'isUnderWay' | 'series'>;
};

/** Events as cards. A changed price re-renders only its own row. */
export function EventGrid<T extends EventView>({ events, listed, ...drawn }: EventGridProps<T>) {
  const distinctions = distinctionsOf(events);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2 min-[110rem]:grid-cols-3">
      {events.map((event) => (
        <EventCard
          key={event.eventTicker}
          event={event}
          distinction={distinctions.get(event.eventTicker)}
          {...listed?.(event)}
          {...drawn}
        />
      ))}
    </div>
  );
}

type EventListProps = Drawn & {
  events: ListedEvent[];
  filter: Pick<ListFilter, 'view' | 'sort'>;
  /** Lists the other events of the series that an event leads. */
  seriesHref: (event: ListedEvent) => string;
};

/** Events as a list sorts them, each with the figure that it is sorted by. */
export function EventList({ filter, seriesHref, ...shown }: EventListProps) {
  const { view, sort } = filter;
  if (view === 'table') {
    return <EventTable sort={sort} seriesHref={seriesHref} sparks={NO_SPARKS} {...shown} />;
  }
  return (
    <EventGrid
      listed={(event) => ({
        figure: <SortFigure sort={sort} event={event} renderedAtMs={shown.renderedAtMs} />,
        isUnderWay: event.isUnderWay,
        series: { count: event.moreInSeries, href: seriesHref(event) },
      })}
      {...shown}
    />
  );
}

export function marketsOn(events: readonly EventView[]): MarketView[] {
  return events.flatMap((event) => shownOutcomes(event).outcomes.map(({ market }) => market));
}

export function tickersOn(events: readonly EventView[]): string[] {
  return [...new Set(marketsOn(events).map(({ ticker }) => ticker))];
}

/** The events whose score is shown. */
export function gamesOn(events: readonly EventView[]): string[] {
  return [...new Set(events.flatMap(({ eventTicker, score }) => (score ? [eventTicker] : [])))];
}

const SHOWN_MARKETS = 3;

/** The most informative outcomes; of an event about several players, those of the first one. */
function shownOutcomes(event: EventView): OutcomeGroup<MarketView> {
  const [group] = groupOutcomes(event.markets);
  if (group?.heading === undefined) {
    const outcomes = mostInformative(event, SHOWN_MARKETS).map((market) => ({
      market,
      label: market.label,
    }));
    return { heading: undefined, outcomes };
  }
  const markets = group.outcomes.map(({ market }) => market);
  const shown = mostInformative({ ...event, markets }, SHOWN_MARKETS);
  return { ...group, outcomes: group.outcomes.filter(({ market }) => shown.includes(market)) };
}

type EventCardProps = Drawn & {
  event: EventView;
  /** What tells the event apart from others of the list with its title. */
  distinction?: string | undefined;
  /** What the list is sorted by. */
  figure?: ReactNode;
  isUnderWay?: boolean;
  /** The other events of its series, if it represents them. */
  series?: { count: number; href: string };
};

export function EventCard(props: EventCardProps) {
  const {
    event,
    distinction,
    figure,
    isUnderWay,
    series,
    renderedAtMs,
    sparks = NO_SPARKS,
  } = props;
  const { heading, outcomes } = shownOutcomes(event);
  const more = event.marketCount - outcomes.length;
  const first = event.markets[0];
  const href = hrefOf(event);
  const subtitle = distinction ?? event.subtitle;
  return (
    <article className="sheet event-card flex flex-col">
      <header className="px-4 pt-3 pb-3 md:px-5">
        <div className="flex min-h-8 items-center gap-2 text-13 text-ink-3">
          <span className="mr-auto">
            {event.category}
            {isUnderWay && !event.score && <UnderWay />}
          </span>
          {first && <CardClock market={first} renderedAtMs={renderedAtMs} />}
          <WatchStar
            eventTicker={event.eventTicker}
            title={event.title}
            className="-mr-3 -my-1.5 md:-mr-2"
          >
            <StarIcon />
          </WatchStar>
        </div>
        <div className="flex gap-3">
          <ListingPicture
            picture={event.picture}
            category={event.category}
            className="mt-0.5 size-10"
          />
          <div className="min-w-0 self-center">
            <h2 className="text-balance font-semibold text-17 leading-snug tracking-[-0.005em]">
              <PageLink href={href} className="hover:underline hover:underline-offset-4">
                {event.title}
              </PageLink>
            </h2>
            {subtitle && <p className="mt-0.5 text-13 text-ink-3">{subtitle}</p>}
          </div>
        </div>
        {event.score && <CardScore score={event.score} />}
      </header>
      {first && event.marketCount === 1 ? (
        <SingleMarket event={event} market={first} spark={sparks.get(first.ticker)} />
      ) : (
        <ul className="flex-1">
          {heading && (
            <li aria-hidden className="border-t px-4 pt-2.5 font-medium text-13 text-ink-2 md:px-5">
              {heading}
            </li>
          )}
          {outcomes.map(({ market, label }, index) => (
            <MarketRow
              key={market.ticker}
              market={market}
              label={label}
              isFirstOfGroup={heading !== undefined && index === 0}
              spark={sparks.get(market.ticker)}
            />
          ))}
        </ul>
      )}
      <footer className="flex flex-wrap items-center gap-x-4 border-t px-4 py-2.5 text-13 text-ink-3 md:px-5">
        <span className="nums mr-auto">{figure ?? <Traded event={event} />}</span>
        {more > 0 && <CardLink href={href}>{counted(more, 'outcome')}</CardLink>}
        {series && series.count > 0 && (
          <CardLink
            href={series.href}
            label={`${counted(series.count, 'event')} like “${event.title}”`}
          >
            {counted(series.count, 'event')}
          </CardLink>
        )}
      </footer>
    </article>
  );
}

function CardLink(props: { href: string; label?: string; children: ReactNode }) {
  return (
    <PageLink
      href={props.href}
      aria-label={props.label}
      className="tap py-1 font-medium text-ink-2 hover:text-ink"
    >
      {props.children}
    </PageLink>
  );
}

function counted(count: number, what: string): string {
  return `${count} more ${what}${count === 1 ? '' : 's'}`;
}

/** The score of the server's rendering until a newer one is drawn in the place before it. */
function CardScore({ score }: { score: Score }) {
  return (
    <div className="mt-3">
      <div data-live-score={score.eventTicker} className="peer" />
      <div className="peer-[:not(:empty)]:hidden">
        <Scoreboard score={score} />
      </div>
    </div>
  );
}

/** A milestone of the exchange, such as a game, has begun and not ended. */
function UnderWay() {
  return (
    <span className="ml-2 inline-flex items-center gap-1.5 font-medium text-ink">
      <span aria-hidden className="size-1.5 rounded-full bg-no-solid" />
      Under way
    </span>
  );
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

type SingleMarketProps = { event: EventView; market: MarketView; spark: Spark | undefined };

/** The only market of an event: its title is the question. */
function SingleMarket({ event, market, spark }: SingleMarketProps) {
  const isNamed = [event.title, event.subtitle, market.title].includes(market.label);
  return (
    <div className="flex flex-1 flex-col justify-end gap-3 px-4 pb-4 md:px-5">
      {!isNamed && <p className="text-14 text-ink-2">{market.label}</p>}
      <div className="flex items-baseline gap-2">
        <span className="nums font-semibold text-26 leading-none tracking-[-0.02em]">
          <LiveChance market={market} />
        </span>
        <span className="text-13 text-ink-3">
          {market.isScalar ? 'expected payout' : 'chance'} of Yes
        </span>
        <LiveMove market={market} />
        <span className="ml-auto self-center">
          <Sparkline spark={spark} />
        </span>
      </div>
      <LiveChanceBar market={market} />
      {/* Here is room for the verb that rows say to screen readers only. */}
      <div className="flex gap-2 *:flex-1 [&_.sr-only:first-child]:not-sr-only">
        <LiveMarketPrices market={market} />
      </div>
    </div>
  );
}
