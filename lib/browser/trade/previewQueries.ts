import { queryOptions, skipToken } from '@tanstack/react-query';
import type { TransportOptions } from '#lib/api/transport.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import type { SlippageBps, TicketQuote, TradeAction, TradeSide } from './quote.ts';

/** The order that the ticket would place, and what else its preview depends on. */
export type PreviewAsk = {
  ticker: string;
  side: TradeSide;
  action: TradeAction;
  owner: string;
  source: 'api' | 'calldata';
  slippageBps: SlippageBps;
  quote: TicketQuote;
  /** Of the amount: the preview before a new price of the same amount stays. */
  askKey: string;
  /** Changes with the account's balances and permission. */
  accountVersion: string;
};

export type PreviewService = { site: SiteConfig; client: TransportOptions };

const PREVIEW_REFRESH_MS = 10_000;

/** What blocks the ticket's order; asked again when its price, the account or a while has passed. */
export function ticketPreviewQuery(service: PreviewService, ask: PreviewAsk | undefined) {
  const { askKey, quote, ...rest } = ask ?? {};
  const price = quote && `${quote.contractMicros} ${quote.totalUsdcMicros} ${quote.capUsdcMicros}`;
  return queryOptions({
    queryKey: ['ticket-preview', askKey, price, rest],
    queryFn: ask
      ? async ({ signal }) => {
          // Needed from the first price on: loaded after the page.
          const { fetchPreview } = await import('./fetchPreview.ts');
          return await fetchPreview(service, ask, signal);
        }
      : skipToken,
    placeholderData: (previous, query) => (query?.queryKey[1] === askKey ? previous : undefined),
    refetchInterval: PREVIEW_REFRESH_MS,
    staleTime: 0,
    gcTime: 30_000,
    // Without a preview the order itself says what is wrong.
    retry: false,
    structuralSharing: false,
  });
}
