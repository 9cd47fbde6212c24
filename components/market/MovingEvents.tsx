'use client';

import { useQuery } from '@tanstack/react-query';
import { DataProvider } from '#components/app/DataProvider.tsx';
import { useApp } from '#components/app/useApp.ts';
import { useLiveMarkets } from '#components/app/useLive.ts';
import { marketListQuery } from '#lib/api/queries/markets.ts';
import { telling, withFresh } from '#lib/market/marketView.ts';
import { SHOWN_MARKETS } from './EventCard.tsx';
import { EventGrid } from './EventGrid.tsx';
import type { LiveEventsProps } from './LiveEvents.tsx';

/** The list with prices that keep moving; polling pauses while the page is hidden. */
export function MovingEvents(props: LiveEventsProps) {
  return (
    <DataProvider>
      <Moving {...props} />
    </DataProvider>
  );
}

function Moving({ events, status, view, renderedAtMs }: LiveEventsProps) {
  const { api } = useApp();
  const tickers = events.flatMap((event) =>
    telling(event, SHOWN_MARKETS).map((market) => market.ticker),
  );
  useLiveMarkets(status === 'open' || status === undefined ? tickers : []);
  const { data } = useQuery({
    ...marketListQuery(api, {
      tickers,
      ...(status !== undefined && { status }),
      limit: Math.max(1, tickers.length),
    }),
    enabled: tickers.length > 0 && status === 'open',
  });
  const fresh = new Map(data?.markets.map((market) => [market.ticker, market]));
  const moved = events.map((event) => ({
    ...event,
    markets: event.markets.map((market) => withFresh(market, fresh.get(market.ticker))),
  }));
  return <EventGrid events={moved} view={view} renderedAtMs={renderedAtMs} />;
}
