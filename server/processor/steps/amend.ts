import { formatMicros } from '#lib/money.ts';
import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import { yesPriceOf } from '#server/domain/orders/lifecycle/ownLevels.ts';
import type { RestingOrder } from '#server/exchange/restingOrders.ts';
import { type Decided, type Decision, decided, park } from './decision.ts';
import type { FactsOf, StepSettings } from './facts.ts';

export type AmendFact = 'priceClaim' | 'amendSent' | 'restingOrder';

/** Until an order that takes from the book at the new price is resolved. */
const CLAIM_WAIT_MS = 1_000;
const LEAST_WAIT_MS = 1_000;
const MOST_WAIT_MS = 10_000;

/** The owner's wish: price and size, of which one may be as it was. */
function wishOf(order: TradeOrder): { priceMicros: bigint; contractMicros: bigint } | undefined {
  const { amendPriceMicros: priceMicros, amendContractMicros: contractMicros } = order;
  return priceMicros === null || contractMicros === null
    ? undefined
    : { priceMicros, contractMicros };
}

function ageMs(order: TradeOrder, now: Date): number {
  return now.getTime() - (order.amendStoredAt?.getTime() ?? now.getTime());
}

/** Whether an amendment is to be stored or sent; a sent one is then only looked for. */
export function isSendingAmendment(
  order: TradeOrder,
  { settings }: FactsOf<never>,
  now: Date,
): boolean {
  return wishOf(order) !== undefined && ageMs(order, now) < settings.sendWithinMs;
}

/**
 * Sends an amendment: price and whole size, so that one that arrives twice, or races a fill,
 * changes nothing more. It is stored with its signing time first. Undefined while its outcome is
 * unknown and too old to be sent again: until it has had its effect or cannot have one, the order
 * is followed as it is.
 */
export function decideAmendment(
  order: TradeOrder,
  { priceClaim, amendSent }: FactsOf<AmendFact>,
  now: Date,
  attempt: ExchangeAttempt,
): Decision | undefined {
  const wish = wishOf(order);
  if (wish === undefined) return undefined;
  const { priceMicros, contractMicros } = wish;
  if (order.amendStoredAt === null) {
    if (priceClaim === undefined) return { kind: 'need', fact: 'priceClaim', priceMicros };
    if (priceClaim === 'crosses') return refused('crosses_open_order');
    if (priceClaim === 'wait') return park('rest', CLAIM_WAIT_MS);
    return decided({ from: 'rest', stamp: ['amendStoredAt'], next: { kind: 'continue' } });
  }
  if (amendSent === undefined) {
    const { amendStoredAt: storedAt } = order;
    const amendment = { limitPriceMicros: priceMicros, contractMicros, storedAt };
    return { kind: 'need', fact: 'amendSent', attempt, amendment };
  }
  switch (amendSent.kind) {
    case 'amended':
      return amended(wish);
    case 'refused':
      return refused(amendSent.reason);
    case 'not_resting':
      return refused('not_resting');
    case 'our_fault': {
      const internalDetail = `${amendSent.code} ${amendSent.detail} (amending ${order.id})`;
      return {
        ...refused('exchange_refused'),
        writes: [{ kind: 'raise_alert', alert: { kind: 'exchange_account', internalDetail } }],
      };
    }
    case 'wait': {
      const untilMs = (amendSent.retryAt?.getTime() ?? 0) - now.getTime();
      return park('rest', Math.min(Math.max(untilMs, LEAST_WAIT_MS), MOST_WAIT_MS));
    }
    case 'unknown':
      return park('rest', LEAST_WAIT_MS);
  }
}

/** What an amendment without a known outcome has done, once it can do nothing more. */
export function checkAmendment(
  order: TradeOrder,
  { yesPriceMicros, filledContractMicros, remainingContractMicros }: RestingOrder,
  { absenceMs }: StepSettings,
  now: Date,
): Decision | undefined {
  const wish = wishOf(order);
  if (wish === undefined) return undefined;
  const isAtPrice = yesPriceMicros === yesPriceOf(order.side, wish.priceMicros);
  const isOfSize = filledContractMicros + remainingContractMicros === wish.contractMicros;
  if (isAtPrice && isOfSize) return amended(wish);
  return ageMs(order, now) > absenceMs ? refused('exchange_unavailable') : undefined;
}

const DONE = { amendPriceMicros: null, amendContractMicros: null };

function amended({
  priceMicros,
  contractMicros,
}: {
  priceMicros: bigint;
  contractMicros: bigint;
}): Decided {
  return decided({
    from: 'rest',
    set: { ...DONE, limitPriceMicros: priceMicros, restingContractMicros: contractMicros },
    events: [
      {
        type: 'amended',
        detail: `${formatMicros(contractMicros)} at ${formatMicros(priceMicros)}`,
      },
    ],
    next: { kind: 'continue' },
  });
}

function refused(reason: string): Decided {
  return decided({
    from: 'rest',
    set: DONE,
    events: [{ type: 'amend_refused', detail: reason }],
    next: { kind: 'continue' },
  });
}
