import { Until } from '#components/ui/Durations.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { contractsShort } from '#lib/format/money.ts';
import { type EventView, type MarketView, telling } from '#lib/market/marketView.ts';
import type { Spark } from '#lib/market/sparkline.ts';
import { EndsIn } from './EndsIn.tsx';
import { MarketRow } from './MarketRow.tsx';
import { Sparkline } from './Sparkline.tsx';
import { StarIcon } from './StarIcon.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import { WatchStar } from './WatchStar.tsx';

/** Outcomes on one card. */
export const SHOWN_MARKETS = 3;

type EventCardProps = {
  event: EventView;
  renderedAtMs: number;
  sparks: ReadonlyMap<string, Spark>;
};

/** An event with its leading outcomes: the question, their chances and their prices. */
export function EventCard({ event, renderedAtMs, sparks }: EventCardProps) {
  const shown = telling(event, SHOWN_MARKETS);
  const more = event.marketCount - shown.length;
  const first = event.markets[0];
  const single = event.marketCount === 1 && first !== undefined;
  const href = single ? `/markets/${first.ticker}` : `/events/${event.eventTicker}`;
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
            line={<Sparkline spark={sparks.get(market.ticker)} />}
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
