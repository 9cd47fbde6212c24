import { queryOptions, skipToken } from '@tanstack/react-query';
import type { AnyOrderRequestInput } from '#lib/api/schemas/order.ts';
import type { TransportOptions } from '#lib/api/transport.ts';
import { pause } from '#lib/pause.ts';
import type { OrderSite } from './orderRequest.ts';
import type { SlippageBps, TicketQuote, TradeAction, TradeSide } from './quote.ts';

/** The order that the ticket would place, and what else its preview depends on. */
export type PreviewAsk = {
  action: TradeAction;
  owner: string;
  source: 'api' | 'calldata';
  order: QuotedOrder | AnyOrderRequestInput;
  /** Of the amount: the preview before a new price of the same amount stays. */
  askKey: string;
  /** Changes with the account's balances and permission, and with what the book offers. */
  version: string;
};

/** A market order at the price of the moment, whose request follows from its quote. */
export type QuotedOrder = {
  ticker: string;
  side: TradeSide;
  slippageBps: SlippageBps;
  quote: TicketQuote;
};

export type PreviewService = { site: OrderSite; client: TransportOptions };

const PREVIEW_REFRESH_MS = 10_000;
const TYPING_MS = 200;

/** What blocks the ticket's order; asked again when its price, the account or a while has passed. */
export function ticketPreviewQuery(service: PreviewService, ask: PreviewAsk | undefined) {
  const { askKey, order, ...rest } = ask ?? {};
  return queryOptions({
    queryKey: ['ticket-preview', askKey, order && termsOf(order), rest],
    queryFn: ask
      ? async ({ signal }) => {
          // A quote follows a pause in typing; the price of a limit order is typed itself.
          if ('orderType' in ask.order) await pause(TYPING_MS, signal);
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

/** What the request follows from, as a key: numbers of any size as text. */
function termsOf(order: PreviewAsk['order']) {
  if ('orderType' in order) return order;
  const { quote, ...terms } = order;
  const { contractMicros, totalUsdcMicros, capUsdcMicros } = quote;
  return { ...terms, price: `${contractMicros} ${totalUsdcMicros} ${capUsdcMicros}` };
}
