import { PageLink } from '#components/ui/PageLink.tsx';
import { chance, contractsShort } from '#lib/format/money.ts';
import { shortDate } from '#lib/format/time.ts';
import {
  COMPARISON_HEIGHT,
  COMPARISON_WIDTH,
  comparisonChart,
  type TimedChance,
} from '#lib/market/comparisonChart.ts';
import type { ListedEvent, MarketView } from '#lib/market/marketView.ts';
import { lineColor } from './chartLines.ts';
import { EndsIn } from './EndsIn.tsx';
import { ListingPicture, OutcomeMark } from './ListingPicture.tsx';
import { MarketRow } from './MarketRow.tsx';

/** An event with its most informative outcomes and how their chances came about. */
export type Featured = {
  event: ListedEvent;
  outcomes: { market: MarketView; points: TimedChance[] }[];
  fromMs: number;
};

type FeaturedEventProps = Featured & { renderedAtMs: number };

/** The event that a visitor sees first. Never hydrated but for its prices. */
export function FeaturedEvent(props: FeaturedEventProps) {
  const { event, outcomes, renderedAtMs } = props;
  const href = `/events/${event.eventTicker}`;
  const [first] = event.markets;
  return (
    <article
      aria-labelledby="featured"
      className="sheet mb-8 grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]"
    >
      <div className="@container flex flex-col">
        <header className="flex gap-4 px-4 pt-4 pb-4 md:px-5 md:pt-5">
          <ListingPicture
            picture={event.picture}
            category={event.category}
            className="size-12 md:size-14"
          />
          <div className="min-w-0">
            <p className="text-13 text-ink-3">Most active · {event.category}</p>
            <h2
              id="featured"
              className="text-balance font-semibold text-20 leading-snug tracking-[-0.01em] md:text-22"
            >
              <PageLink href={href} className="hover:underline hover:underline-offset-4">
                {event.title}
              </PageLink>
            </h2>
          </div>
        </header>
        <ul className="flex-1">
          {outcomes.map(({ market }, index) => (
            <MarketRow
              key={market.ticker}
              market={market}
              label={market.label}
              mark={<OutcomeMark color={lineColor(index)} />}
            />
          ))}
        </ul>
        <footer className="nums flex flex-wrap gap-x-4 border-t px-4 py-3 text-13 text-ink-3 md:px-5">
          <span>{contractsShort(event.volume24hContractMicros)} contracts in 24 h</span>
          {first && (
            <span>
              <EndsIn market={first} renderedAtMs={renderedAtMs} />
            </span>
          )}
          {event.marketCount > outcomes.length && (
            <PageLink
              href={href}
              className="tap ml-auto font-medium text-ink-2 hover:text-ink hover:underline hover:underline-offset-4"
            >
              All {event.marketCount} outcomes
            </PageLink>
          )}
        </footer>
      </div>
      <Comparison {...props} />
    </article>
  );
}

/** The rows beside it say the same to screen readers. */
function Comparison({ outcomes, fromMs, renderedAtMs }: FeaturedEventProps) {
  const { paths, ticks } = comparisonChart(
    outcomes.map(({ points }) => points),
    { fromMs, toMs: renderedAtMs },
  );
  return (
    <div
      aria-hidden
      className="flex flex-col border-t px-4 pt-4 pb-3 md:px-6 md:pt-6 lg:border-t-0 lg:border-l"
    >
      <div className="relative mr-10 min-h-40 flex-1">
        <svg
          viewBox={`0 0 ${COMPARISON_WIDTH} ${COMPARISON_HEIGHT}`}
          aria-hidden="true"
          preserveAspectRatio="none"
          className="absolute inset-0 size-full overflow-visible"
        >
          {ticks.map(({ y }) => (
            <path key={y} d={`M0 ${y}H${COMPARISON_WIDTH}`} className="rule-line" />
          ))}
          {paths.map((path, index) => (
            <path
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines keep the order of the rows
              key={index}
              d={path}
              fill="none"
              strokeWidth="2"
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
              style={{ stroke: lineColor(index) }}
            />
          ))}
        </svg>
        {ticks.map(({ chanceMicros, y }) => (
          <span
            key={y}
            className="nums -translate-y-1/2 absolute left-full pl-2 text-12 text-ink-3"
            style={{ top: `${(y / COMPARISON_HEIGHT) * 100}%` }}
          >
            {chance(chanceMicros)}
          </span>
        ))}
      </div>
      <p className="mt-3 mr-10 flex justify-between text-12 text-ink-3">
        {/* The server's day: the reader's would load scripts for one word. */}
        <span>{shortDate(new Date(fromMs).toISOString())}</span>
        <span>Now</span>
      </p>
    </div>
  );
}
