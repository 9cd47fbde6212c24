import type { OrderRequestInput } from '#lib/api/schemas/order.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { orderRequest } from '#lib/browser/trade/orderRequest.ts';
import {
  isWorse,
  quoteLimitMicros,
  type TicketQuote,
  type TradeAction,
  type TradeSide,
} from '#lib/browser/trade/quote.ts';
import { freshQuote } from '#lib/browser/trade/quoteQueries.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

/** What the ticket asks for, and for whom. */
export type OrderAsk = {
  ticker: string;
  side: TradeSide;
  action: TradeAction;
  slippageBps: number;
  owner: string;
};

/** The price of now, and the order at it; no order when it is worse than what was shown. */
export type Confirmed = { fresh: TicketQuote; request: OrderRequestInput | undefined };

/**
 * Prices an order anew at the press of its button.
 * @returns undefined when the book no longer holds that much
 */
export async function confirmOrder(
  { api, site }: { api: TradingClient; site: SiteConfig },
  { owner, slippageBps, ...ask }: OrderAsk,
  shown: TicketQuote,
): Promise<Confirmed | undefined> {
  const fresh = await freshQuote(api, ask, shown.contractMicros);
  if (!fresh.fillable) return undefined;
  if (isWorse(shown, fresh, ask.action)) return { fresh, request: undefined };
  const draft = {
    ...ask,
    contractMicros: fresh.contractMicros,
    quoteLimitUsdcMicros: quoteLimitMicros(fresh, ask.action, slippageBps),
  };
  return { fresh, request: orderRequest(site, draft, owner, crypto.randomUUID()) };
}
