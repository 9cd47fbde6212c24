import type { AnyOrderRequestInput } from '#lib/api/schemas/order.ts';
import { limitRequest, stopMarketRequest } from '#lib/browser/trade/limitRequest.ts';
import type { TicketQuote } from '#lib/browser/trade/quote.ts';
import {
  affordableMicros,
  highestFeeMicros,
  type LimitOffer,
  limitLockMicros,
} from '#lib/market/limitLock.ts';
import { feeOf } from '#lib/market/orderTerms.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import type { LimitOptionValues } from './useLimitOptions.ts';
import type { LimitPrice } from './useLimitPrice.ts';
import type { Ticket } from './useTicket.ts';

/** What the order locks, or brings at least, in the place of a quote; undefined until it is set. */
export function lockAsQuote({ fields }: Ticket, { terms, price }: LimitPrice) {
  const { form, amount } = fields;
  const fee = terms.data && feeOf(terms.data);
  if (!fee || amount.state !== 'ok' || price.state !== 'ok') return undefined;
  const offer = { action: form.action, priceMicros: price.micros, fee };
  return lockOf(offer, { unit: form.askedUnit, micros: amount.micros });
}

function lockOf(
  offer: LimitOffer,
  size: { unit: 'contracts' | 'dollars'; micros: bigint },
): TicketQuote {
  const contractMicros =
    size.unit === 'contracts' ? size.micros : affordableMicros(offer, size.micros);
  return {
    contractMicros,
    ...(size.unit === 'dollars' && { capUsdcMicros: size.micros }),
    fillable: true,
    totalUsdcMicros: limitLockMicros(offer, contractMicros),
    feeUsdcMicros: highestFeeMicros(offer, contractMicros),
    bestPriceMicros: offer.priceMicros,
    atMs: 0,
  };
}

type Terms = { values: LimitOptionValues; isStop: boolean };

/** The order as the service takes it; undefined until it is complete. */
export function limitOrder(
  site: SiteConfig,
  { market, visitor, fields: { form, amount } }: Ticket,
  { price, trigger, isMarket }: LimitPrice,
  { values, isStop }: Terms,
  quote: TicketQuote | undefined,
): AnyOrderRequestInput | undefined {
  if (!quote || quote.contractMicros === 0n || (isStop && trigger.state !== 'ok')) return undefined;
  const owner = visitor.wallet.address ?? '';
  const outcome = { ticker: market.ticker, side: form.side, action: form.action };
  const endsAtMs = endOf(values);
  if (isMarket) {
    const draft = {
      ...outcome,
      contractMicros: quote.contractMicros,
      quoteLimitUsdcMicros: quote.capUsdcMicros ?? quote.totalUsdcMicros,
      spendsLimit: quote.capUsdcMicros !== undefined,
      trigger: trigger.terms,
      endsAtMs: values.timeInForce === 'GTD' ? endsAtMs : undefined,
    };
    return stopMarketRequest(site, draft, owner);
  }
  const draft = {
    ...outcome,
    priceMicros: price.micros,
    size: { unit: form.askedUnit, micros: amount.micros },
    timeInForce: values.timeInForce,
    endsAtMs,
    isPostOnly: values.isPostOnly && !isStop,
    isReduceOnly: values.isReduceOnly,
    trigger: isStop ? trigger.terms : undefined,
  };
  return limitRequest(site, draft, owner);
}

/** When an order that rests until a date ends, in Unix milliseconds. */
export const endOf = ({ endText }: LimitOptionValues): number => Date.parse(endText);
