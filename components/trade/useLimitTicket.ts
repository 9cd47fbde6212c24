import { useApp } from '#components/app/useApp.ts';
import { useNow } from '#components/ui/clock.ts';
import { isPossibleEnd, mayRest } from '#lib/browser/trade/limitRequest.ts';
import type { TicketQuote } from '#lib/browser/trade/quote.ts';
import { ticketState } from '#lib/browser/trade/ticketState.ts';
import { type LimitOutlook, limitOutlook } from '#lib/market/limitOutlook.ts';
import { endOf, limitOrder, lockAsQuote } from './limitOrder.ts';
import type { useLimitOptions } from './useLimitOptions.ts';
import { type LimitPrice, useLimitPrice } from './useLimitPrice.ts';
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
  const { site } = useApp();
  const { market, visitor } = base;
  const { form, clear } = base.fields;
  const { action, side } = form;
  const limit = useLimitPrice({ ticker: market.ticker, action, side, values, pickedText, isStop });
  const { terms, book, price, trigger, isMarket } = limit;
  const quote = lockAsQuote(base, limit);
  const ownOrder = limitOrder(site, base, limit, { values, isStop }, quote);
  const order = useTicketOrder({ market, form, visitor, clear, setAccepted: nothing, ownOrder });
  const contractMicros = quote?.contractMicros ?? 0n;
  const asked = { side, action, priceMicros: price.micros, contractMicros };
  const outlook =
    book.data && contractMicros > 0n && !isStop ? limitOutlook(book.data, asked) : undefined;
  // The form is used after hydration, when the time is known.
  const nowMs = useNow(MINUTE_MS) ?? 0;
  const endsInTime = values.timeInForce !== 'GTD' || isPossibleEnd(endOf(values), nowMs);
  const preview = usePreview({
    form,
    visitor,
    // Another price of the visitor's is another order.
    askKey: JSON.stringify(ownOrder?.order),
    order: endsInTime ? ownOrder : undefined,
    bookVersion: `${outlook && matchOf(outlook, contractMicros)}`,
  });
  const context = {
    ...contextOf(base, limit, quote),
    previewLoading: preview.isLoading,
    blocker: preview.data?.blocker?.reason,
    busy: order.busy !== 'none' ? order.busy : base.setup.busy,
    callsPrepared: order.prepared !== undefined,
    confirming: order.phase.at === 'confirming',
    limit: {
      price: terms.data && !isMarket ? price.state : ('ok' as const),
      ...(isStop && { trigger: terms.data ? trigger.state : ('ok' as const) }),
      end: endsInTime ? ('ok' as const) : ('invalid' as const),
    },
  };
  const changing = discarding(order.reset);
  const { type, fill, change: changeForm } = base.fields;
  const ticket: Ticket = {
    ...base,
    fields: {
      ...base.fields,
      type: changing(type),
      fill: changing(fill),
      change: changing(changeForm),
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
  return {
    ticket,
    trigger: isStop
      ? { ...trigger, type: changing(trigger.type), choose: changing(trigger.choose) }
      : undefined,
    options: values,
    change: changing(change),
    text: limit.text,
    type: changing(limit.type),
    grid: limit.grid,
    shortcuts: limit.shortcuts,
    terms: {
      priceMicros: price.micros,
      contractMicros,
      timeInForce: values.timeInForce,
      isPostOnly: values.isPostOnly && mayRest(values.timeInForce),
    },
    outlook,
    isMarket,
  };
}

export type LimitTicketState = ReturnType<typeof useLimitTicket>;

/** What a price of the visitor changes in the context of a ticket. */
function contextOf(
  { context, fields }: Ticket,
  { terms }: LimitPrice,
  quote: TicketQuote | undefined,
): Ticket['context'] {
  return {
    ...context,
    quote: terms.data ? 'ready' : terms.isError ? 'failed' : 'loading',
    fillable: true,
    soldContractMicros:
      fields.form.action === 'sell' ? (quote?.contractMicros ?? fields.amount.micros) : 0n,
    worsePrice: false,
    amount: quote?.contractMicros === 0n ? 'too_small' : context.amount,
  };
}

/** Any change of the ticket discards the order prepared for the old one. */
const discarding =
  (reset: () => void) =>
  <A extends unknown[]>(act: (...args: A) => void) =>
  (...args: A) => {
    reset();
    act(...args);
  };

/** How much of the order the book matches: the preview is asked again when that changes. */
function matchOf({ fillsContractMicros }: LimitOutlook, contractMicros: bigint) {
  if (fillsContractMicros === 0n) return 'none';
  return fillsContractMicros >= contractMicros ? 'whole' : 'part';
}
