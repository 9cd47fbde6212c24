'use client';

import { useQueries } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { useLiveMarkets } from '#components/app/useLive.ts';
import { useHydrated, useNow } from '#components/ui/clock.ts';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { PendingPage } from '#components/ui/LoadStates.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { useWatchlist } from '#lib/browser/market/watchlist.ts';
import { eventQuery } from '#lib/browser/queries/markets.ts';
import { eventViewOf } from '#lib/market/convertMarket.ts';
import { EventGrid } from './EventGrid.tsx';

export function WatchlistView() {
  const { api } = useApp();
  const hydrated = useHydrated();
  const watched = useWatchlist();
  const now = useNow() ?? 0;
  const found = useQueries({ queries: watched.map((ticker) => eventQuery(api, ticker)) });
  useLiveMarkets(
    found.flatMap((one) => one.data?.event.markets.map((market) => market.ticker) ?? []),
  );
  if (!hydrated || (watched.length > 0 && found.every((one) => one.isPending))) {
    return <PendingPage />;
  }
  if (watched.length === 0) {
    return (
      <EmptyState
        title="Your watchlist is empty"
        link={{ href: '/', label: 'Find a market', tone: 'primary' }}
      >
        Star an event to add it here. Your list is the same on every device where you sign in.
      </EmptyState>
    );
  }
  const events = found.flatMap((one) => (one.data ? [eventViewOf(one.data.event)] : []));
  const missing = found.filter((one) => one.isError && !one.data).length;
  return (
    <div className="grid gap-4">
      {missing > 0 && (
        <Notice tone="caution">
          {missing === 1 ? 'One event' : `${missing} events`} could not be loaded.
        </Notice>
      )}
      <EventGrid events={events} renderedAtMs={now} />
    </div>
  );
}
