import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import type { EndReason } from '#server/exchange/restingOrders.ts';
import { type Decision, decided, type Needed, park, recordResponse } from './decision.ts';
import type { FactsOf } from './facts.ts';

export type EndAtExchangeFact = 'cancelSent' | 'restingOrder' | 'listedMarket';

const LEAST_WAIT_MS = 500;
const MOST_WAIT_MS = 30_000;
const READ_PAUSE_MS = 250;
/** How long reads may lag behind the cancellation that found no such order. */
const READ_LAG_MS = 2_000;

/**
 * Cancels an order that rests. Its end is proven by the exchange's response, or by the order as it
 * is read afterwards; until then the cancellation is sent again.
 * @throws when the exchange neither cancels the order nor shows its end: the step has failed, is
 * repeated at growing intervals, and alerts
 */
export function endAtExchange(
  order: TradeOrder,
  facts: FactsOf<EndAtExchangeFact>,
  now: Date,
  attempt: ExchangeAttempt,
): Decision {
  const { cancelSent, restingOrder } = facts;
  if (cancelSent === undefined) return { kind: 'need', fact: 'cancelSent', attempt };
  const log = (code: string) =>
    ({ level: 'warn', message: 'order not cancelled yet', details: { code } }) as const;
  switch (cancelSent.kind) {
    case 'cancelled': {
      const sizeMicros = knownSize(order, attempt);
      if (sizeMicros === undefined) break;
      return ended(attempt, sizeMicros - cancelSent.cancelledContractMicros);
    }
    case 'not_resting':
      break;
    case 'wait': {
      const untilMs = (cancelSent.retryAt?.getTime() ?? 0) - now.getTime();
      const waitMs = Math.min(Math.max(untilMs, LEAST_WAIT_MS), MOST_WAIT_MS);
      return { ...park('rest', waitMs), log: log(cancelSent.code) };
    }
    case 'our_fault': {
      const internalDetail = `${cancelSent.code} ${cancelSent.detail} (cancelling ${order.id})`;
      return {
        ...park('rest', MOST_WAIT_MS),
        writes: [{ kind: 'raise_alert', alert: { kind: 'exchange_account', internalDetail } }],
      };
    }
    case 'unknown':
      return { ...park('rest', LEAST_WAIT_MS), log: log(cancelSent.code) };
  }
  if (restingOrder === undefined) return { kind: 'need', fact: 'restingOrder', attempt };
  if (restingOrder?.hasEnded) return ended(attempt, restingOrder.filledContractMicros);
  const mayLag = order.failures === 0 && facts.pausedMs < READ_LAG_MS;
  if (restingOrder === null || mayLag) return { kind: 'pause', pauseMs: READ_PAUSE_MS };
  const response = 'code' in cancelSent ? cancelSent.code : cancelSent.kind;
  throw new Error(
    `the exchange shows ${attempt.clientOrderId} as resting and does not cancel it: ${response}`,
  );
}

/** Undefined while an amendment may have changed it, or where the order was found after a restore. */
function knownSize(order: TradeOrder, attempt: ExchangeAttempt): bigint | undefined {
  const isKnown = order.amendStoredAt === null && attempt.code !== 'found_after_restore';
  return isKnown ? (order.restingContractMicros ?? undefined) : undefined;
}

/** What has been filled by then is awaited. */
function ended(attempt: ExchangeAttempt, filledContractMicros: bigint): Decision {
  return decided({
    from: 'rest',
    response: recordResponse(attempt, { state: 'done', filledContractMicros }),
    next: { kind: 'continue' },
  });
}

const REASONS: Partial<Record<EndReason, TerminationReason | 'filled'>> = {
  filled: 'filled',
  expired: 'expired_unfilled',
  market_closed: 'market_ended',
  halted: 'exchange_halted',
  self_trade: 'crosses_open_order',
  post_only_crossed: 'post_only_would_cross',
};

/** Why the exchange has ended an order that we had not; the market tells where it does not say. */
export function reasonOfEnd(
  order: TradeOrder,
  { restingOrder, listedMarket }: FactsOf<EndAtExchangeFact>,
): string | Needed<'listedMarket'> {
  const stated = restingOrder?.endReason && REASONS[restingOrder.endReason];
  if (stated !== undefined) return stated;
  const size = order.restingContractMicros ?? order.contractMicros;
  if (restingOrder && restingOrder.filledContractMicros >= size) return 'filled';
  if (listedMarket === undefined) return { kind: 'need', fact: 'listedMarket' };
  if (listedMarket?.status === 'paused') return 'exchange_halted';
  if (listedMarket?.status === 'open') {
    return order.isPostOnly && (order.filledContractMicros ?? 0n) === 0n
      ? 'post_only_would_cross'
      : 'exchange_ended';
  }
  return 'market_ended';
}
