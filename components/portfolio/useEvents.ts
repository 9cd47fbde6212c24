'use client';

import { useQueries, useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { type KnownEvents, untitledEvents } from '#lib/browser/portfolio/positionEvents.ts';
import { eventsOfMarketsQuery, eventTitleQuery } from '#lib/browser/queries/markets.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';

/**
 * The events of these positions; `undefined` until they are known. Asks once for all of them, and
 * for an event's title only where its markets do not tell it: a title that does not come is
 * replaced by a market's.
 */
export function useEvents(positions: readonly PositionView[]): {
  known: KnownEvents | undefined;
  hasFailed: boolean;
} {
  const { api } = useApp();
  const tickers = [...new Set(positions.map(({ marketId }) => marketId))].sort();
  const events = useQuery(eventsOfMarketsQuery(api, tickers));
  const eventOf = events.data ?? {};
  const untitled = untitledEvents(positions, eventOf);
  const found = useQueries({ queries: untitled.map((ticker) => eventTitleQuery(api, ticker)) });
  const titles = untitled.flatMap((ticker, index) => {
    const title = found[index]?.data;
    return title === undefined ? [] : [[ticker, title] as const];
  });
  const isKnown = events.data !== undefined && !found.some(({ isPending }) => isPending);
  return {
    known: isKnown ? { eventOf, titles: Object.fromEntries(titles) } : undefined,
    hasFailed: events.isError && !events.data,
  };
}
