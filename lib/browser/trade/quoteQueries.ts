import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import type { QuoteAsk } from './fetchQuote.ts';

const QUOTE_REFRESH_MS = 5_000;

/** The price for the ticket's amount; the previous one stays visible while a new one loads. */
export function ticketQuoteQuery(client: TradingClient, ask: QuoteAsk | undefined) {
  return queryOptions({
    queryKey: ['ticket-quote', ask && { ...ask, amountMicros: ask.amountMicros.toString() }],
    queryFn: ask
      ? async ({ signal }) => {
          // Needed from the first amount on: loaded after the page.
          const { fetchQuote } = await import('./fetchQuote.ts');
          return await fetchQuote(client, ask, signal);
        }
      : skipToken,
    refetchInterval: QUOTE_REFRESH_MS,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 30_000,
    structuralSharing: false,
  });
}
