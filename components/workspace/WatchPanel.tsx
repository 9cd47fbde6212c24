import { useQueries } from '@tanstack/react-query';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useLiveMarkets } from '#components/app/useLive.ts';
import { PriceChange } from '#components/market/PriceChange.tsx';
import { useWatchlist } from '#lib/browser/market/watchlist.ts';
import { eventQuery } from '#lib/browser/queries/markets.ts';
import { estimate } from '#lib/format/money.ts';
import { eventViewOf } from '#lib/market/convertMarket.ts';
import {
  changePoints,
  type EventView,
  impliedChance,
  type MarketView,
  mostInformative,
} from '#lib/market/marketView.ts';

/** Outcomes of an event that the list shows; the search finds the others. */
const OUTCOMES = 4;

type WatchPanelProps = {
  shown: readonly (string | undefined)[];
  onOpen: (ticker: string) => void;
};

export function WatchPanel({ shown, onOpen }: WatchPanelProps) {
  const { api } = useApp();
  const watched = useWatchlist();
  const found = useQueries({ queries: watched.map((ticker) => eventQuery(api, ticker)) });
  const events = found.flatMap((one) => (one.data ? [eventViewOf(one.data.event)] : []));
  const rows = events.map((event) => ({ event, markets: mostInformative(event, OUTCOMES) }));
  useLiveMarkets(rows.flatMap(({ markets }) => markets.map(({ ticker }) => ticker)));
  return (
    <section
      aria-labelledby="watchlist-heading"
      className="relative w-[16rem] shrink-0 overflow-y-auto border-r pb-4"
    >
      <h2
        id="watchlist-heading"
        className="sticky top-0 z-1 bg-paper px-4 pt-3 pb-2 font-semibold text-14"
      >
        Watchlist
      </h2>
      {watched.length === 0 && (
        <p className="px-4 text-13 text-ink-2">
          Press <kbd className="font-mono">/</kbd> and choose an event, or star one, to add it here.
        </p>
      )}
      {rows.map(({ event, markets }) => (
        <WatchedEvent key={event.eventTicker} event={event}>
          {markets.map((market) => (
            <WatchRow
              key={market.ticker}
              market={market}
              isShown={shown.includes(market.ticker)}
              onOpen={() => onOpen(market.ticker)}
            />
          ))}
        </WatchedEvent>
      ))}
    </section>
  );
}

function WatchedEvent({ event, children }: { event: EventView; children: ReactNode }) {
  return (
    <div className="border-t pt-2 pb-1">
      {event.marketCount > 1 && (
        <h3 className="line-clamp-2 px-4 pb-1 text-12 text-ink-3">{event.title}</h3>
      )}
      <ul>{children}</ul>
    </div>
  );
}

type WatchRowProps = { market: MarketView; isShown: boolean; onOpen: () => void };

function WatchRow({ market, isShown, onOpen }: WatchRowProps) {
  const implied = impliedChance(market);
  return (
    <li>
      <button
        type="button"
        data-watched
        aria-current={isShown ? 'true' : undefined}
        onClick={onOpen}
        className={clsx(
          'flex min-h-9 w-full items-center gap-2 px-4 py-1 text-left text-14 hover:bg-sunken focus-visible:-outline-offset-2',
          isShown && 'bg-sunken font-medium',
        )}
      >
        <span className="wrap-anywhere min-w-0 flex-1">{market.label}</span>
        <PriceChange points={changePoints(market)} className="text-12" />
        <span className="nums w-10 text-right font-semibold">
          {implied === null ? '–' : estimate(market, implied)}
        </span>
      </button>
    </li>
  );
}
