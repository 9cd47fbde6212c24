import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useNow } from '#components/ui/clock.ts';
import { marketTermsQuery, orderBookQuery } from '#lib/browser/queries/markets.ts';
import {
  nearestTick,
  type ParsedPrice,
  parsePrice,
  typedPrice,
} from '#lib/browser/trade/limitPrice.ts';
import {
  isPossibleEnd,
  limitRequest,
  mayRest,
  stopMarketRequest,
} from '#lib/browser/trade/limitRequest.ts';
import type { TicketQuote } from '#lib/browser/trade/quote.ts';
import { type TicketContext, ticketState } from '#lib/browser/trade/ticketState.ts';
import { ladderOf } from '#lib/market/ladder.ts';
import {
  affordableMicros,
  highestFeeMicros,
  type LimitOffer,
  limitLockMicros,
} from '#lib/market/limitLock.ts';
import { type LimitOutlook, limitOutlook } from '#lib/market/limitOutlook.ts';
import { feeOf, gridOf } from '#lib/market/orderTerms.ts';
import { sideRanges } from '#lib/market/ticks.ts';
import type { useLimitOptions } from './useLimitOptions.ts';
import { useStopTrigger } from './useStopTrigger.ts';
import { type Ticket, usePreview } from './useTicket.ts';
import { useTicketOrder } from './useTicketOrder.ts';

const MINUTE_MS = 60_000;

const nothing = () => undefined;

/**
 * The ticket of a limit order: that of a market order with a price of the visitor instead of a
 * quote. What the order would lock takes the quote's place. A stop order has a trigger price too.
 */
export function useLimitTicket(
  base: Ticket,
  { values, change }: ReturnType<typeof useLimitOptions>,
  pickedText: string | undefined,
  isStop: boolean,
) {
  const { api, site } = useApp();
  const { market, visitor } = base;
  const { form: fields, amount, clear } = base.fields;
  // Until the visitor sets one, the best price of the own side is proposed; of a stop order, one
  // beyond its trigger.
  const [priceText, setPriceText] = useState(pickedText);
  const terms = useQuery(marketTermsQuery(api, market.ticker));
  const book = useQuery(orderBookQuery(api, market.ticker));
  const grid = terms.data ? sideRanges(gridOf(terms.data), fields.side) : [];
  const ladder = book.data && ladderOf(book.data, fields.side, 1n);
  const best = { bid: ladder?.bids[0]?.priceMicros, ask: ladder?.asks[0]?.priceMicros };
  const { action, side } = fields;
  const isMarket = isStop && values.stopType === 'market';
  const beyondMicros = isMarket ? values.protectionMicros : undefined;
  const trigger = useStopTrigger({ action, side, grid, best, beyondMicros });
  const own = action === 'buy' ? best.bid : best.ask;
  const proposed = isStop ? trigger.limitMicros : own;
  const text = priceText ?? (proposed === undefined ? '' : typedPrice(proposed));
  const price = isMarket ? worstPrice(trigger.limitMicros) : parsePrice(text, grid);
  const fee = terms.data && feeOf(terms.data);
  const offer = fee && { action: fields.action, priceMicros: price.micros, fee };
  const isSized = amount.state === 'ok' && price.state === 'ok';
  const quote =
    offer && isSized
      ? lockAsQuote(offer, { unit: fields.askedUnit, micros: amount.micros })
      : undefined;
  const endsAtMs = Date.parse(values.endText);
  // The form is used after hydration, when the time is known.
  const nowMs = useNow(MINUTE_MS) ?? 0;

  const owner = visitor.wallet.address ?? '';
  const outcome = { ticker: market.ticker, side, action };
  const requestOf = (sized: TicketQuote) =>
    isMarket
      ? stopMarketRequest(
          site,
          {
            ...outcome,
            contractMicros: sized.contractMicros,
            quoteLimitUsdcMicros: sized.capUsdcMicros ?? sized.totalUsdcMicros,
            spendsLimit: sized.capUsdcMicros !== undefined,
            trigger: trigger.terms,
            endsAtMs: values.timeInForce === 'GTD' ? endsAtMs : undefined,
          },
          owner,
        )
      : limitRequest(
          site,
          {
            ...outcome,
            priceMicros: price.micros,
            size: { unit: fields.askedUnit, micros: amount.micros },
            timeInForce: values.timeInForce,
            endsAtMs,
            isPostOnly: values.isPostOnly && !isStop,
            isReduceOnly: values.isReduceOnly,
            trigger: isStop ? trigger.terms : undefined,
          },
          owner,
        );
  const isWhole = quote && quote.contractMicros > 0n && (!isStop || trigger.state === 'ok');
  const request = isWhole ? requestOf(quote) : undefined;
  const order = useTicketOrder({
    market,
    form: fields,
    visitor,
    clear,
    setAccepted: nothing,
    ownOrder: request,
  });
  const outlook =
    quote && book.data && quote.contractMicros > 0n && !isStop
      ? limitOutlook(book.data, {
          side: fields.side,
          action: fields.action,
          priceMicros: price.micros,
          contractMicros: quote.contractMicros,
        })
      : undefined;
  const end =
    values.timeInForce !== 'GTD' || isPossibleEnd(endsAtMs, nowMs)
      ? ('ok' as const)
      : ('invalid' as const);
  const preview = usePreview({
    form: fields,
    visitor,
    // Another price of the visitor's is another order.
    askKey: JSON.stringify(request?.order),
    order: end === 'ok' ? request : undefined,
    bookVersion: `${outlook && matchOf(outlook, quote)}`,
  });

  const context: TicketContext = {
    ...base.context,
    quote: terms.data ? 'ready' : terms.isError ? 'failed' : 'loading',
    fillable: true,
    soldContractMicros: fields.action === 'sell' ? (quote?.contractMicros ?? amount.micros) : 0n,
    previewLoading: preview.isLoading,
    blocker: preview.data?.blocker?.reason,
    worsePrice: false,
    amount: quote?.contractMicros === 0n ? 'too_small' : base.context.amount,
    busy: order.busy !== 'none' ? order.busy : base.setup.busy,
    callsPrepared: order.prepared !== undefined,
    confirming: order.phase.at === 'confirming',
    limit: {
      price: terms.data && !isMarket ? price.state : 'ok',
      ...(isStop && { trigger: terms.data ? trigger.state : 'ok' }),
      end,
    },
  };

  /** Any change of the ticket discards the order prepared for the old one. */
  const changing =
    <A extends unknown[]>(act: (...args: A) => void) =>
    (...args: A) => {
      order.reset();
      act(...args);
    };
  const ticket: Ticket = {
    ...base,
    fields: {
      ...base.fields,
      type: changing(base.fields.type),
      fill: changing(base.fields.fill),
      change: changing(base.fields.change),
    },
    error: order.error ?? base.setup.error,
    order,
    quote,
    pressed: quote,
    settling: false,
    quoteLimit: quote?.totalUsdcMicros,
    context,
    limitsNeed: base.context.grantUsable ? preview.data?.limitsNeed : undefined,
    blocker: preview.data?.blocker,
    reason: ticketState(context),
    refetchQuote: () => void terms.refetch(),
  };
  const middle =
    best.bid !== undefined && best.ask !== undefined
      ? nearestTick((best.bid + best.ask) / 2n, grid)
      : undefined;
  return {
    ticket,
    trigger: isStop
      ? { ...trigger, type: changing(trigger.type), choose: changing(trigger.choose) }
      : undefined,
    options: values,
    change: changing(change),
    text,
    type: changing(setPriceText),
    grid,
    shortcuts: { ...best, middle },
    terms: {
      priceMicros: price.micros,
      contractMicros: quote?.contractMicros ?? 0n,
      timeInForce: values.timeInForce,
      isPostOnly: values.isPostOnly && mayRest(values.timeInForce),
    },
    outlook,
    isMarket,
  };
}

export type LimitTicketState = ReturnType<typeof useLimitTicket>;

/** That of a market order, which is set once its trigger is. */
function worstPrice(micros: bigint | undefined): ParsedPrice {
  return micros === undefined ? { state: 'empty', micros: 0n } : { state: 'ok', micros };
}

/** How much of the order the book matches: the preview is asked again when that changes. */
function matchOf({ fillsContractMicros }: LimitOutlook, quote: TicketQuote | undefined) {
  if (fillsContractMicros === 0n) return 'none';
  return fillsContractMicros >= (quote?.contractMicros ?? 0n) ? 'whole' : 'part';
}

/** What the order locks, or brings at least, in the place of a quote. */
function lockAsQuote(
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
