'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { Activity, type ReactNode } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useLiveMarkets } from '#components/app/useLive.ts';
import { usePositions } from '#components/portfolio/usePositions.ts';
import { TicketSheet } from '#components/trade/TicketSheet.tsx';
import { useNow } from '#components/ui/clock.ts';
import { Until } from '#components/ui/Durations.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { renderNothing } from '#components/ui/renderNothing.ts';
import { marketQuery } from '#lib/browser/queries/markets.ts';
import { cents, chance, contractsShort } from '#lib/format/money.ts';
import {
  changePoints,
  impliedChance,
  type MarketEventLink,
  type MarketView,
  withFresh,
} from '#lib/market/marketView.ts';
import { BookAndTrades } from './BookAndTrades.tsx';
import { EndsIn } from './EndsIn.tsx';
import { StarIcon } from './icons.tsx';
import { ChanceBar, MarketResult, StatusBadge } from './marketFigures.tsx';
import { PriceChartPanel } from './PriceChartPanel.tsx';
import { SharePageButton } from './SharePageButton.tsx';
import { WatchStar } from './WatchStar.tsx';

type LiveMarketProps = {
  market: MarketView;
  event: MarketEventLink | undefined;
  initial: { side: 'yes' | 'no'; action: 'buy' | 'sell' };
  /** Whether the URL names a side, as a price link on another page does. */
  chosen: boolean;
  renderedAtMs: number;
  /** The static parts: rules and facts, rendered by the server. */
  children: ReactNode;
};

export function LiveMarket(props: LiveMarketProps) {
  const { api } = useApp();
  const { data } = useQuery(marketQuery(api, props.market.ticker));
  useLiveMarkets([props.market.ticker]);
  const market = withFresh(props.market, data?.market);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 lg:grid-cols-[minmax(0,1fr)_22.5rem]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-8 max-lg:pb-16">
        <MarketHeader market={market} event={props.event} renderedAtMs={props.renderedAtMs} />
        {/* Each part hydrates separately, so that the page responds in between. With Suspense the server
            would send a large part after the page and leave its place empty until then. */}
        <Activity>
          <MyPosition market={market} />
        </Activity>
        {market.status === 'unopened' ? (
          <UnopenedMarket openTime={market.openTime} renderedAtMs={props.renderedAtMs} />
        ) : (
          <>
            <Activity>
              <PriceChartPanel ticker={market.ticker} />
            </Activity>
            <BookAndTrades market={market} />
          </>
        )}
        {props.children}
      </div>
      <aside>
        <Activity key={`${props.initial.side} ${props.initial.action}`}>
          <TicketSheet market={market} initial={props.initial} openAtOnce={props.chosen} />
        </Activity>
      </aside>
    </div>
  );
}

type MarketHeaderProps = {
  market: MarketView;
  event: MarketEventLink | undefined;
  renderedAtMs: number;
};

function MarketHeader({ market, event, renderedAtMs }: MarketHeaderProps) {
  const implied = impliedChance(market);
  return (
    <header>
      <div className="flex min-h-8 items-center justify-end gap-x-3 text-13 text-ink-3">
        {event && (
          <>
            <span>{event.category}</span>
            {event.linkText ? (
              <PageLink
                href={`/events/${event.eventTicker}`}
                className="mr-auto min-w-0 truncate underline decoration-line underline-offset-4 hover:text-ink max-md:-my-3.5 max-md:py-3.5"
              >
                {event.linkText}
              </PageLink>
            ) : (
              <span className="mr-auto" />
            )}
            <WatchStar
              eventTicker={event.eventTicker}
              title={event.title}
              className="-my-1.5 -mr-3"
            >
              <StarIcon />
            </WatchStar>
          </>
        )}
        <SharePageButton label="Share this market" />
      </div>
      <h1 className="mt-1 text-balance font-semibold text-26 leading-tight tracking-[-0.015em] md:text-32">
        {market.title}
      </h1>
      {!market.title.includes(market.label) && (
        <p className="mt-1 text-17 text-ink-2">{market.label}</p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-13 text-ink-2">
        {market.status !== 'settled' && <StatusBadge status={market.status} />}
        {market.status === 'unopened' && (
          <span>
            <OpensIn openTime={market.openTime} renderedAtMs={renderedAtMs} />
          </span>
        )}
        {market.status === 'open' && (
          <span>
            <EndsIn market={market} renderedAtMs={renderedAtMs} />
          </span>
        )}
        <span className="nums">{contractsShort(market.volumeContractMicros)} contracts traded</span>
      </div>
      <div className="mt-6 flex items-end gap-4 max-[20rem]:flex-wrap">
        {market.status === 'settled' ? (
          <p className="text-26 leading-none">
            <MarketResult payoutYesMicros={market.payoutYesMicros} />
          </p>
        ) : implied === null ? (
          <p className="text-17 text-ink-2">No price yet</p>
        ) : (
          <>
            <p className="nums font-semibold text-44 leading-none tracking-[-0.03em]">
              {chance(implied)}
            </p>
            <div className="pb-0.5 text-14 leading-tight">
              <p>chance of Yes</p>
              <Change points={changePoints(market)} />
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

function Change({ points }: { points: number | null }) {
  if (points === null) return null;
  if (points === 0) return <p className="text-ink-3">no change in 24 h</p>;
  const size = Math.abs(points);
  return (
    <p className={points > 0 ? 'text-yes' : 'text-no'}>
      <span className="nums">
        {points > 0 ? 'up' : 'down'} {size}
      </span>{' '}
      {size === 1 ? 'point' : 'points'} in <span className="whitespace-nowrap">24 h</span>
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

type NotOpenYetProps = { openTime: string; renderedAtMs: number };

function UnopenedMarket({ openTime, renderedAtMs }: NotOpenYetProps) {
  return (
    <section aria-labelledby="opening-heading" className="sheet px-5 py-4">
      <h2 id="opening-heading" className="font-medium text-15">
        <OpensIn openTime={openTime} renderedAtMs={renderedAtMs} />
      </h2>
      <p className="mt-1 text-14 text-ink-2">
        <LocalTime at={openTime} />. Prices, the order book and the chart appear here when trading
        opens.
      </p>
    </section>
  );
}

/** A countdown to the opening; after it, a message that trading is about to start. */
function OpensIn({ openTime, renderedAtMs }: NotOpenYetProps) {
  const now = useNow() ?? renderedAtMs;
  if (Date.parse(openTime) <= now) return 'Opening soon';
  return (
    <>
      Opens in <Until at={openTime} renderedAtMs={renderedAtMs} />
    </>
  );
}

// Loaded separately: few visitors hold a position in the market they view.
const HeldPosition = dynamic(
  () => import('./HeldPosition.tsx').then((m) => m.HeldPosition, renderNothing),
  { loading: () => <div className="skeleton m-2 h-10" /> },
);

function MyPosition({ market }: { market: MarketView }) {
  const positions = usePositions() ?? [];
  const held = positions
    .filter((position) => position.marketId === market.ticker)
    // Waits for the market's state: a closed market offers no sale.
    .map((position) =>
      market.status === 'closed' ? { ...position, status: market.status } : position,
    );
  if (held.length === 0) return null;
  return (
    <section aria-label="My position" className="sheet grid min-h-[58px] divide-y">
      {held.map((position) => (
        <HeldPosition key={position.side} position={position} />
      ))}
    </section>
  );
}
