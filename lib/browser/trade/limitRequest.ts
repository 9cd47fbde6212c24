import type { LimitOrderRequestInput, TimeInForce } from '#lib/api/schemas/limitOrder.ts';
import type { OrderRequestInput } from '#lib/api/schemas/order.ts';
import type { TriggerTerms } from '#lib/market/triggerWords.ts';
import { formatMicros } from '#lib/money.ts';
import { type OrderDraft, type OrderSite, orderRequest } from './orderRequest.ts';
import type { TradeAction, TradeSide } from './quote.ts';

export type LimitDraft = {
  ticker: string;
  side: TradeSide;
  action: TradeAction;
  priceMicros: bigint;
  /** The quantity, or for a buy the amount to lock. */
  size: { unit: 'contracts' | 'dollars'; micros: bigint };
  timeInForce: TimeInForce;
  /** Unix milliseconds, of an order that rests until a date. */
  endsAtMs: number | undefined;
  isPostOnly: boolean;
  isReduceOnly: boolean;
  /** Of a stop order: the price that it waits for before it goes to the exchange. */
  trigger?: Trigger | undefined;
};

type Trigger = Pick<TriggerTerms, 'priceMicros' | 'direction' | 'source'>;

function triggerFields({ priceMicros, direction, source }: Trigger) {
  return { triggerPrice: formatMicros(priceMicros), direction, triggerSource: source };
}

/** The order as POST /v1/order, its preview and POST /v1/order/calldata take it. */
export function limitRequest(
  site: OrderSite,
  draft: LimitDraft,
  owner: string,
): LimitOrderRequestInput {
  const { ticker, side, action, priceMicros, size, timeInForce, endsAtMs, trigger } = draft;
  const amount = formatMicros(size.micros);
  return {
    orderType: 'LimitOrder',
    order: {
      quoteToken: {
        type: 'chain',
        data: { tokenId: '0', chainId: site.chainId, contractAddress: site.contracts.usdc },
      },
      baseToken: { type: 'venue', data: { marketId: ticker, side } },
      orderType: action === 'buy' ? 'BUY' : 'SELL',
      ...(size.unit === 'contracts' ? { baseQuantity: amount } : { maxQuoteQuantityIn: amount }),
      limitPrice: formatMicros(priceMicros),
      timeInForce,
      ...(timeInForce === 'GTD' &&
        endsAtMs !== undefined && { expiresAt: new Date(endsAtMs).toISOString() }),
      postOnly: draft.isPostOnly && mayRest(timeInForce),
      reduceOnly: draft.isReduceOnly,
      ...(trigger && triggerFields(trigger)),
    },
    chainId: site.chainId,
    includeTokenTransfer: true,
    userAddress: owner,
  };
}

/** The same for a market order that waits for its trigger; at most until `endsAtMs`. */
export function stopMarketRequest(
  site: OrderSite,
  draft: OrderDraft & { trigger: Trigger; endsAtMs: number | undefined },
  owner: string,
): OrderRequestInput {
  const { trigger, endsAtMs } = draft;
  const request = orderRequest(site, draft, owner);
  return {
    ...request,
    order: {
      ...request.order,
      ...triggerFields(trigger),
      ...(endsAtMs !== undefined && { expiresAt: new Date(endsAtMs).toISOString() }),
    },
  };
}

/** Whether what does not match on arrival stays in the book. */
export function mayRest(timeInForce: TimeInForce): boolean {
  return timeInForce === 'GTC' || timeInForce === 'GTD';
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** When an order may leave the book by itself: a minute to 89 days from now. */
export function isPossibleEnd(endsAtMs: number | undefined, nowMs: number): boolean {
  if (endsAtMs === undefined || !Number.isFinite(endsAtMs)) return false;
  return endsAtMs >= nowMs + MINUTE_MS && endsAtMs <= nowMs + 89 * DAY_MS;
}
