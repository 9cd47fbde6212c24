import { contractsShort } from '#lib/format/money.ts';
import type { EventView, MarketView } from '#lib/market/marketView.ts';
import { EndsIn } from './EndsIn.tsx';
import { EventScore } from './EventScore.tsx';
import { StarIcon } from './icons.tsx';
import { ListingPicture } from './ListingPicture.tsx';
import { SharePageButton } from './SharePageButton.tsx';
import { WatchStar } from './WatchStar.tsx';

type EventHeaderProps = {
  event: EventView;
  /** Its outcomes as they are now. */
  markets: MarketView[];
  chosen: MarketView | undefined;
  renderedAtMs: number;
};

export function EventHeader({ event, markets, chosen, renderedAtMs }: EventHeaderProps) {
  return (
    <header>
      <div className="flex min-h-8 items-center text-13 text-ink-3">
        <span className="mr-auto">{event.category}</span>
        <WatchStar eventTicker={event.eventTicker} title={event.title} className="-my-1.5">
          <StarIcon />
        </WatchStar>
        <SharePageButton label="Share this event" />
      </div>
      <div className="mt-1 flex gap-3.5">
        <ListingPicture
          picture={event.picture}
          category={event.category}
          className="size-12 md:size-14"
        />
        <div>
          <h1 className="text-balance font-semibold text-26 leading-tight tracking-[-0.015em] md:text-32">
            {event.title}
          </h1>
          {event.subtitle && <p className="mt-1 text-17 text-ink-2">{event.subtitle}</p>}
        </div>
      </div>
      <EventScore event={event} />
      <p className="nums mt-3 flex flex-wrap gap-x-5 text-13 text-ink-2">
        <span>
          {event.marketCount} {event.marketCount === 1 ? 'outcome' : 'outcomes'}
        </span>
        <span>{contractsShort(event.volumeContractMicros)} contracts traded</span>
        {chosen?.status === 'open' && (
          <span>
            <EndsIn market={chosen} renderedAtMs={renderedAtMs} />
          </span>
        )}
        {markets.every(({ status }) => status === 'settled') && <span>Resolved</span>}
      </p>
    </header>
  );
}
