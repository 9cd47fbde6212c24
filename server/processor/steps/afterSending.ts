import { unfundedAlert } from '#server/domain/collateral/unfundedAlert.ts';
import { tradeAmounts } from '#server/domain/orders/create/tradeAmounts.ts';
import {
  OWN_ORDER_AT_PRICE,
  parseClientOrderId,
} from '#server/domain/orders/lifecycle/attempts.ts';
import { exchangeLines } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import {
  isSizedByAmount,
  rests,
  type TradeOrder,
} from '#server/domain/orders/lifecycle/orderRow.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import type { ExchangeFill, NoFillReason, PlaceOrderOutcome } from '#server/exchange/port.ts';
import { beginResting } from './beginResting.ts';
import {
  type Decided,
  type Decision,
  decided,
  park,
  recordResponse,
  type Write,
} from './decision.ts';
import { beginDelivery } from './deliver.ts';
import type { FactsOf, FilledAttempt, StoredAttempt } from './facts.ts';
import { afterUnfunded, isUnfundedCode } from './shardCash.ts';
import { EXCHANGE_WAIT_MS, returnFunds } from './storeAttempt.ts';

/** Timeout for the fills before the response is stored without them. */
const FILLS_TIMEOUT_MS = 1_000;
const MOST_WAIT_MS = 60_000;

/** Books that an order for an amount follows before it gives up. */
const MOST_BOOKS = 4;

/**
 * Whether an attempt that filled nothing is followed by another: the count of an order for an
 * amount fits one book, which may have moved before the attempt arrived.
 */
export function mayFollowBook(order: TradeOrder, clientOrderId: string): boolean {
  const attempt = parseClientOrderId(clientOrderId)?.attempt ?? MOST_BOOKS;
  return isSizedByAmount(order) && attempt < MOST_BOOKS;
}

function afterNothingAtPrice(order: TradeOrder, clientOrderId: string): Decided {
  return mayFollowBook(order, clientOrderId)
    ? decided({ from: 'place', next: { kind: 'continue' } })
    : returnFunds('price_moved');
}

const NO_FILL_REASONS = {
  price_not_allowed: 'exchange_refused',
  market_closed: 'market_closed',
  market_not_found: 'market_not_found',
  refused: 'exchange_refused',
  not_filled_whole: 'not_filled_whole',
  post_only_would_cross: 'post_only_would_cross',
  would_self_trade: 'crosses_open_order',
} as const satisfies Record<Exclude<NoFillReason, 'nothing_at_price'>, TerminationReason>;

export function afterSending(
  order: TradeOrder,
  facts: FactsOf<'newFills'>,
  now: Date,
  { attempt, outcome }: { attempt: StoredAttempt; outcome: PlaceOrderOutcome },
): Decision {
  const { clientOrderId } = attempt;
  const warn = (message: string, code: string) =>
    ({ level: 'warn', message, details: { clientOrderId, code } }) as const;
  switch (outcome.kind) {
    case 'done':
      return rests(order)
        ? afterAccepted(order, facts, attempt, outcome)
        : afterDone(order, facts, attempt, outcome);
    case 'no_fill': {
      const { reason, code } = outcome;
      const response = recordResponse(attempt, { state: 'no_fill', code });
      // One of ours took the price while this one was on its way: it is decided anew.
      if (code === OWN_ORDER_AT_PRICE)
        return decided({ from: 'place', response, next: { kind: 'continue' } });
      return reason === 'nothing_at_price'
        ? { ...afterNothingAtPrice(order, clientOrderId), response }
        : { ...returnFunds(NO_FILL_REASONS[reason]), response };
    }
    case 'wait': {
      const { code, spent, retryAt } = outcome;
      return {
        ...park('place', waitMs(retryAt, now)),
        response: recordResponse(attempt, { state: spent ? 'no_fill' : 'refused', code }),
        log: warn('exchange asks to wait', code),
      };
    }
    case 'our_fault':
      return isUnfundedCode(outcome.code)
        ? afterUnfunded(order, attempt, outcome)
        : afterOurFault(order, attempt, outcome);
    case 'unknown': {
      const { code } = outcome;
      const response = recordResponse(attempt, { state: 'unknown', code });
      const log = warn('exchange outcome unknown', code);
      return decided({ from: 'place', response, next: { kind: 'continue' }, log });
    }
  }
}

type Done = Extract<PlaceOrderOutcome, { kind: 'done' }>;

/**
 * Records the fills with the response and starts the delivery if the exchange returns the fills at
 * once. Missing fills do not delay storing the response.
 */
function afterDone(
  order: TradeOrder,
  facts: FactsOf<'newFills'>,
  attempt: StoredAttempt,
  { exchangeOrderId, filledContractMicros }: Done,
): Decision {
  const result = { exchangeOrderId, filledContractMicros };
  const response = recordResponse(attempt, { state: 'done', ...result });
  if (filledContractMicros === 0n) {
    return { ...afterNothingAtPrice(order, attempt.clientOrderId), response };
  }
  const filled: FilledAttempt = { ...attempt, ...result };
  const { newFills, isLate, context } = facts;
  if (newFills === undefined && !isLate) {
    return { kind: 'need', fact: 'newFills', attempt: filled, timeoutMs: FILLS_TIMEOUT_MS };
  }
  const done = decided({
    from: 'place',
    response,
    next: { kind: 'continue' },
    ...(context.isAccountBlocked && { writes: accountRecovered(order, attempt) }),
  });
  if (!newFills) return done;
  const booked = bookFills(order, filled, newFills);
  const delivery = beginDelivery(order, context);
  const events = [...(booked.events ?? []), ...(delivery?.events ?? [])];
  return { ...done, ...booked, ...delivery, from: 'place', events };
}

function afterAccepted(
  order: TradeOrder,
  { context }: FactsOf<never>,
  attempt: StoredAttempt,
  { exchangeOrderId }: Done,
): Decided {
  const begun = beginResting(attempt, exchangeOrderId);
  return context.isAccountBlocked ? { ...begun, writes: accountRecovered(order, attempt) } : begun;
}

/** The exchange trades for us again; only a buy proves that its shard has cash for us. */
function accountRecovered(order: TradeOrder, { shard = 0 }: StoredAttempt): Write[] {
  const account: Write = { kind: 'resolve_alert', alert: { kind: 'exchange_account' } };
  const cash: Write = { kind: 'resolve_alert', alert: unfundedAlert(shard) };
  return order.tradeAction === 'buy' ? [account, cash] : [account];
}

/** Refunds the user and raises an alert: the cause is our account at the exchange. */
function afterOurFault(
  order: TradeOrder,
  attempt: StoredAttempt,
  { code, detail }: Extract<PlaceOrderOutcome, { kind: 'our_fault' }>,
): Decided {
  const internalDetail = `${code} ${detail} (${order.ticker}, intent ${order.id})`;
  const kind = 'exchange_account';
  return {
    ...returnFunds('exchange_unavailable'),
    response: recordResponse(attempt, { state: 'no_fill', code }),
    writes: [{ kind: 'raise_alert', alert: { kind, internalDetail } }],
  };
}

function waitMs(retryAt: Date | undefined, now: Date): number {
  const untilRetryMs = (retryAt?.getTime() ?? 0) - now.getTime();
  return Math.min(Math.max(untilRetryMs, EXCHANGE_WAIT_MS), MOST_WAIT_MS);
}

export function bookFills(
  order: TradeOrder,
  attempt: FilledAttempt,
  fills: readonly ExchangeFill[],
): Decided {
  const { exchangeUsdcMicros: usdcMicros, ...amounts } = tradeAmounts(order, fills);
  const contractMicros = amounts.filledContractMicros;
  const lines = exchangeLines(order, order.tradeAction, { contractMicros, usdcMicros });
  return decided({
    from: 'place',
    set: { stage: 'deliver', ...amounts },
    stamp: ['txnFilledAt'],
    events: [{ type: 'filled' }],
    postings: [{ name: 'trade', lines }],
    fills: fills.map((fill) => ({ ...fill, clientOrderId: attempt.clientOrderId })),
    next: { kind: 'continue' },
  });
}
