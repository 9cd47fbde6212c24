import { clientOptions } from '#components/app/useApp.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import type { AnyOrderRequestInput, OrderRequestInput } from '#lib/api/schemas/order.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { placeFromDevice } from '#lib/browser/account/deviceKey.ts';
import { explainUnknownOutcome, isUnknownOutcome } from '#lib/browser/api/unknownOutcome.ts';
import { freshQuote } from '#lib/browser/trade/fetchQuote.ts';
import { orderRequest } from '#lib/browser/trade/orderRequest.ts';
import { draftAt, isWorse } from '#lib/browser/trade/orderTerms.ts';
import {
  isFillable,
  type TicketQuote,
  type TradeAction,
  type TradeSide,
} from '#lib/browser/trade/quote.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

export type OrderAsk = {
  ticker: string;
  side: TradeSide;
  action: TradeAction;
  slippageBps: number;
  owner: string;
};

/** The current price and the order at it; no order if it is worse than the one shown. */
export type Confirmed = { fresh: TicketQuote; request: OrderRequestInput | undefined };

type Service = { api: TradingClient; site: SiteConfig };

/** Undefined when the book no longer has the quantity. */
export async function confirmOrder(
  { api, site }: Service,
  { owner, slippageBps, ...ask }: OrderAsk,
  shown: TicketQuote,
): Promise<Confirmed | undefined> {
  const fresh = await freshQuote(api, ask, shown);
  if (!isFillable(fresh)) return undefined;
  if (isWorse(shown, fresh, ask.action)) return { fresh, request: undefined };
  const request = orderRequest(site, draftAt(ask, fresh, slippageBps), owner);
  return { fresh, request: { ...request, clientId: crypto.randomUUID() } };
}

/**
 * Places an order, and returns its id.
 * @param onRefused called if it certainly was not placed; else only the same request may follow
 */
export async function placeOrder(
  { api, site }: Service,
  account: Account | undefined,
  request: AnyOrderRequestInput,
  onRefused: () => void,
): Promise<string> {
  try {
    const service = { api, client: clientOptions(site) };
    const { intent } = await placeFromDevice(service, account, request);
    return intent.id;
  } catch (problem) {
    if (!isUnknownOutcome(problem)) onRefused();
    throw explainUnknownOutcome(problem, 'your order');
  }
}
