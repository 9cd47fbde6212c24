import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import { AlertButton } from '#components/alerts/AlertButton.tsx';
import { Flashing } from '#components/ui/Flashing.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { cents, contractsShort, estimate } from '#lib/format/money.ts';
import {
  changePoints,
  impliedChance,
  type MarketEventLink,
  type MarketView,
} from '#lib/market/marketView.ts';
import { marketTitle, outcomeOf } from '#lib/market/outcomeName.ts';
import { ChanceBar } from './ChanceBar.tsx';
import { EndsIn } from './EndsIn.tsx';
import { EventScore } from './EventScore.tsx';
import { StarIcon } from './icons.tsx';
import { SharePageButton } from './SharePageButton.tsx';
import { StatusBadge } from './StatusBadge.tsx';
import { WatchStar } from './WatchStar.tsx';

/** Few markets that are looked at have a result. */
const MarketResult = dynamic(() => import('./MarketResult.tsx').then((part) => part.MarketResult));

/** The event with what the server renders: its picture, and the link to the workspace. */
export type PicturedEvent = MarketEventLink & { picture: ReactNode; workspace: ReactNode };

type MarketHeaderProps = {
  market: MarketView;
  event: PicturedEvent | undefined;
  renderedAtMs: number;
};

export function MarketHeader({ market, event, renderedAtMs }: MarketHeaderProps) {
  const implied = impliedChance(market);
  const outcome = outcomeOf(market.title, market.label);
  return (
    <header>
      <div className="flex min-h-8 items-center justify-end gap-x-3 text-13 text-ink-3">
        {event && (
          <>
            {event.picture}
            <span className={event.linkText ? 'max-[24rem]:hidden' : 'mr-auto'}>
              {event.category}
            </span>
            {event.linkText && (
              <PageLink
                href={`/events/${event.eventTicker}`}
                className="wrap-break-word mr-auto min-w-0 underline decoration-line underline-offset-4 hover:text-ink max-md:-my-3.5 max-md:py-3.5"
              >
                {event.linkText}
              </PageLink>
            )}
            {event.workspace}
            <AlertButton market={market} />
            <WatchStar
              eventTicker={event.eventTicker}
              title={event.title}
              className="-my-1.5 -mr-3"
            >
              <StarIcon />
            </WatchStar>
          </>
        )}
        <SharePageButton
          label="Share this market"
          market={{ ticker: market.ticker, title: marketTitle(market) }}
        />
      </div>
      <h1 className="mt-1">
        <span className="wrap-anywhere block text-balance font-semibold text-26 leading-tight tracking-[-0.015em] md:text-32">
          {outcome ?? market.title}
        </span>
        {outcome !== undefined && (
          <span className="mt-1 block text-17 text-ink-2">{market.title}</span>
        )}
      </h1>
      {event && <EventScore event={event} />}
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-13 text-ink-2">
        {market.status !== 'settled' && <StatusBadge status={market.status} />}
        {market.status === 'open' && (
          <span>
            <EndsIn market={market} renderedAtMs={renderedAtMs} />
          </span>
        )}
        <span className="nums">{contractsShort(market.volumeContractMicros)} contracts traded</span>
      </div>
      <div className="mt-6 flex flex-wrap items-end gap-4">
        {market.status === 'settled' ? (
          <p className="text-26 leading-none">
            <MarketResult market={market} />
          </p>
        ) : implied === null ? (
          <p className="text-17 text-ink-2">No price yet</p>
        ) : (
          <>
            <p className="nums font-semibold text-44 leading-none tracking-[-0.03em]">
              <Flashing value={implied}>{estimate(market, implied)}</Flashing>
            </p>
            <div className="pb-0.5 text-14 leading-tight">
              <p>{market.isScalar ? 'expected payout' : 'chance'} of Yes</p>
              <Change points={changePoints(market)} isScalar={market.isScalar} />
            </div>
          </>
        )}
        <p className="nums ml-auto pb-0.5 text-right text-13 text-ink-3 leading-tight">
          <Spread market={market} />
        </p>
      </div>
      <div className="mt-3">
        <ChanceBar market={market} />
      </div>
    </header>
  );
}

function Change({ points, isScalar }: { points: number | null; isScalar: boolean }) {
  if (points === null) return null;
  if (points === 0) return <p className="text-ink-3">no change in 24 h</p>;
  const size = Math.abs(points);
  return (
    <p className={points > 0 ? 'text-yes' : 'text-no'}>
      <span className="nums">
        {points > 0 ? 'up' : 'down'} {size}
      </span>
      {isScalar ? '¢' : size === 1 ? ' point' : ' points'} in{' '}
      <span className="whitespace-nowrap">24 h</span>
    </p>
  );
}

function Spread({ market }: { market: MarketView }) {
  if (market.yesBidMicros === null || market.yesAskMicros === null) return null;
  return (
    <>
      <span className="whitespace-nowrap">
        {cents(market.yesBidMicros)} to {cents(market.yesAskMicros)}
      </span>
      <br />
      bid and ask
    </>
  );
}
