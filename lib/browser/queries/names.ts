import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { outcomeOf } from '#lib/market/outcomeName.ts';

/** What never changes about markets, events and tokens. */

/** A market's outcome and question, and when its outcome is expected. */
export function marketNameQuery(client: TradingClient, ticker: string) {
  return queryOptions({
    queryKey: ['markets', 'name', ticker] as const,
    queryFn: async ({ signal }) => {
      const { market } = await client.getMarket(ticker, { signal });
      const question = market.title;
      const outcome = outcomeOf(question, market.yesSubTitle);
      return { outcome, question, endTime: market.expectedEndTime };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The market and the side of an outcome token; neither changes. */
export function tokenQuery(client: TradingClient, tokenId: string) {
  return queryOptions({
    queryKey: ['tokens', tokenId] as const,
    queryFn: async ({ signal }) => {
      const { properties } = await client.getToken(tokenId, { signal });
      return { marketId: properties.marketId, side: properties.outcome };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Markets per request, which keeps the URL short enough. */
const TICKERS_A_CALL = 100;

/** The event of each of these markets, by market ticker; it does not change. */
export function eventsOfMarketsQuery(client: TradingClient, tickers: readonly string[]) {
  return queryOptions({
    queryKey: ['markets', 'events-of', tickers] as const,
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(tickers.length / TICKERS_A_CALL) }, (_, index) =>
        tickers.slice(index * TICKERS_A_CALL, (index + 1) * TICKERS_A_CALL),
      );
      const lists = await Promise.all(
        parts.map((part) =>
          client.listMarkets({ tickers: part, status: 'all', limit: part.length }, { signal }),
        ),
      );
      return Object.fromEntries(
        lists.flatMap(({ markets }) =>
          markets.map((one) => [one.ticker, one.eventTicker] as const),
        ),
      );
    },
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

/** The title of an event; it does not change. */
export function eventTitleQuery(client: TradingClient, eventTicker: string) {
  return queryOptions({
    queryKey: ['markets', 'event-title', eventTicker] as const,
    queryFn: async ({ signal }) => (await client.getEvent(eventTicker, { signal })).event.title,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
