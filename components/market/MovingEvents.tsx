'use client';

import { useQueries } from '@tanstack/react-query';
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

/** Markets asked for in one request. */
const GROUP = 100;
const STREAMED_GROUPS = 2;
const UNSTREAMED_MS = 15_000;

function groupsOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / GROUP) }, (_, index) =>
    items.slice(index * GROUP, (index + 1) * GROUP),
  );
}

function Moving({ events, status, view, renderedAtMs }: LiveEventsProps) {
  const { api } = useApp();
  const tickers = events.flatMap((event) =>
    telling(event, SHOWN_MARKETS).map((market) => market.ticker),
  );
  useLiveMarkets(status === 'open' || status === undefined ? tickers : []);
  const groups = groupsOf(tickers);
  const lists = useQueries({
    queries: groups.map((group, index) => ({
      ...marketListQuery(api, {
        tickers: group,
        ...(status !== undefined && { status }),
        limit: group.length,
      }),
      enabled: status === 'open',
      // The stream carries so many markets; of a long list the first ones are asked for instead.
      ...(index < groups.length - STREAMED_GROUPS && { refetchInterval: UNSTREAMED_MS }),
    })),
  });
  const fresh = new Map(
    lists.flatMap(({ data }) => data?.markets ?? []).map((market) => [market.ticker, market]),
  );
  const moved = events.map((event) => ({
    ...event,
    markets: event.markets.map((market) => withFresh(market, fresh.get(market.ticker))),
  }));
  return <EventGrid events={moved} view={view} renderedAtMs={renderedAtMs} />;
}
