'use client';

import { useQueries, useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { type KnownEvents, untitledEvents } from '#lib/browser/portfolio/positionEvents.ts';
import { eventsOfMarketsQuery, eventTitleQuery } from '#lib/browser/queries/markets.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';

/**
 * The events of these positions; `undefined` until they are known. Requests all of them at once,
 * and an event's title only if its markets do not contain it: if the title fails to load, a
 * market's title replaces it.
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
