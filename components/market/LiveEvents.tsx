'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/AppProviders.tsx';
import { marketListQuery } from '#lib/api/queries/markets.ts';
import type { MarketStatus } from '#lib/api/schemas/market.ts';
import { type EventView, withFresh } from '#lib/market/marketView.ts';
import { EventCard } from './EventCard.tsx';

type LiveEventsProps = { events: EventView[]; status: MarketStatus; renderedAtMs: number };

/** The server's list with prices that keep moving; polling pauses while the page is hidden. */
export function LiveEvents({ events, status, renderedAtMs }: LiveEventsProps) {
  const { api } = useApp();
  const tickers = events.flatMap((event) => event.markets.map((market) => market.ticker));
  const { data } = useQuery({
    ...marketListQuery(api, { tickers, status, limit: Math.max(1, tickers.length) }),
    enabled: tickers.length > 0 && status === 'open',
  });
  const fresh = new Map(data?.markets.map((market) => [market.ticker, market]));
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {events.map((event) => (
        <EventCard
          key={event.eventTicker}
          renderedAtMs={renderedAtMs}
          event={{
            ...event,
            markets: event.markets.map((market) => withFresh(market, fresh.get(market.ticker))),
          }}
        />
      ))}
    </div>
  );
}
