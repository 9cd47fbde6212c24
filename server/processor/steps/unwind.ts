import { formatMicros, minMicros } from '#lib/money.ts';
import type { LedgerPosting } from '#server/domain/ledger/ledger.ts';
import { payoutOfSide, redemptionUsdcMicros } from '#server/domain/orders/create/redemption.ts';
import { exchangeUsdcMicros } from '#server/domain/orders/create/tradeAmounts.ts';
import { unwindOrderIdOf } from '#server/domain/orders/lifecycle/attempts.ts';
import { exchangeLines } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { asTradeOrder, type TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { RecordedAttempt } from '#server/domain/orders/lifecycle/transition.ts';
import {
  type NextUnwinding,
  nextUnwinding,
  tradableMicros,
  unwindLimit,
} from '#server/domain/orders/lifecycle/unwinding.ts';
import type { PlaceOrderOutcome, TradeAction } from '#server/exchange/port.ts';
import {
  type Decided,
  type Decision,
  decided,
  lookUpAgain,
  park,
  recordResponse,
  type Write,
} from './decision.ts';
import type { FactsOf, StoredAttempt } from './facts.ts';

type UnwindFacts = FactsOf<
  'unwinding' | 'sent' | 'lookedUp' | 'fills' | 'listedMarket' | 'orderBook'
>;

/** Between attempts in a market in which nothing can be traded back for now. */
const RETRY_MS = 30_000;
const FILLS_PAUSE_MS = 250;

/**
 * Trades back fills of an order that had already ended. The owner has been refunded in full; the
 * house bears the cost or gain. Ends when nothing is left, or when the market's settlement pays for
 * the rest.
 */
export function decideUnwind(row: OrderRow, facts: UnwindFacts, now: Date): Decision {
  const order = asTradeOrder(row);
  const { unsent, sent, unwinding } = facts;
  if (sent) return afterSending(sent.attempt, sent.outcome);
  if (unsent) {
    const tradeAction = opposite(order.tradeAction);
    return { kind: 'need', fact: 'sent', attempt: unsent, tradeAction };
  }
  if (unwinding === undefined) return { kind: 'need', fact: 'unwinding' };
  const next = nextUnwinding(unwinding);
  switch (next.kind) {
    case 'book':
      return bookUnwound(order, facts, next.attempt);
    case 'look_up':
      return lookUp(facts, now, next.attempt);
    case 'trade':
      return tradeBack(order, facts, next);
    case 'end':
      return end(order, 'No position is left at the exchange.');
  }
}

const opposite = (action: TradeAction): TradeAction => (action === 'buy' ? 'sell' : 'buy');

/** Records what was found, or traded back, once the exchange lists all of it. */
function bookUnwound(
  order: TradeOrder,
  { fills }: UnwindFacts,
  attempt: ExchangeAttempt,
): Decision {
  if (fills === undefined) return { kind: 'need', fact: 'fills', attempt };
  if (fills === null) return { kind: 'pause', pauseMs: FILLS_PAUSE_MS };
  const { clientOrderId, attempt: number } = attempt;
  const contractMicros = fills.reduce((sum, fill) => sum + fill.contractMicros, 0n);
  const isFound = attempt.purpose === 'found';
  const tradeAction = isFound ? order.tradeAction : opposite(order.tradeAction);
  const usdcMicros = exchangeUsdcMicros(tradeAction, fills);
  const lines = exchangeLines(order, tradeAction, { contractMicros, usdcMicros });
  const what = tradeAction === 'buy' ? 'bought for' : 'sold for';
  const reason = `${formatMicros(contractMicros)} contracts ${what} ${formatMicros(usdcMicros)} USDC (${clientOrderId})`;
  return decided({
    from: 'unwind',
    fills: fills.map((fill) => ({ ...fill, clientOrderId, tradeAction })),
    postings: [{ name: isFound ? `found-${number}` : `unwind-${number}`, lines }],
    next: { kind: 'continue' },
    writes: [
      { kind: 'book_payout', attempt: number, tradeAction, contractMicros },
      audit(order, isFound ? 'unwind_booked' : 'unwind_traded', reason),
    ],
  });
}

/**
 * Fills of a market whose payment is already posted were part of that payment, and are posted so.
 */
export function payoutPosting(
  order: Pick<TradeOrder, 'ticker' | 'side'>,
  booked: { attempt: number; tradeAction: TradeAction; contractMicros: bigint },
  payoutYesMicros: bigint,
): LedgerPosting {
  const { attempt, tradeAction, contractMicros } = booked;
  const payoutMicros = payoutOfSide(order.side, payoutYesMicros);
  const usdcMicros = redemptionUsdcMicros(contractMicros, payoutMicros);
  const lines = exchangeLines(order, opposite(tradeAction), { contractMicros, usdcMicros });
  return { name: `paid-${attempt}`, lines };
}

function lookUp(facts: UnwindFacts, now: Date, attempt: ExchangeAttempt): Decision {
  const found = facts.lookedUp;
  if (found === undefined) return { kind: 'need', fact: 'lookedUp', attempt };
  if (found.kind === 'not_yet_known' || found.kind === 'resting') {
    return lookUpAgain('unwind', attempt.storedAt, now);
  }
  const { kind, ...filled } = found;
  return kind === 'absent'
    ? respond(attempt, { state: 'no_fill', code: 'absent' })
    : respond(attempt, { state: 'done', ...filled });
}

/** Stores the next attempt, if the book takes the rest within the limit. */
function tradeBack(
  order: TradeOrder,
  { listedMarket: market, orderBook: book, settings }: UnwindFacts,
  { contractMicros, attempt, averageMicros }: Extract<NextUnwinding, { kind: 'trade' }>,
): Decision {
  const { ticker, side } = order;
  const action = opposite(order.tradeAction);
  const left = `${formatMicros(contractMicros)} ${side} contracts of ${ticker}`;
  if (market === undefined) return { kind: 'need', fact: 'listedMarket' };
  if (market?.final) return end(order, `The market is settled; it pays for ${left}.`);
  if (market?.status !== 'open') {
    return wait(order, `${left}: the market is ${market?.status ?? 'not listed'}`);
  }
  const maxLossMicros = settings.maxUnwindLossMicros;
  const limitMicros = unwindLimit(market, { action, side, averageMicros, maxLossMicros });
  if (limitMicros === undefined) return wait(order, `${left}: no price is allowed`);
  if (book === undefined) return { kind: 'need', fact: 'orderBook' };
  const tradable = tradableMicros(book, { action, side, limitMicros });
  if (tradable === 0n) {
    return wait(order, `${left}: no match at ${formatMicros(limitMicros)} USDC`);
  }
  return decided({
    from: 'unwind',
    attempt: {
      clientOrderId: unwindOrderIdOf(order.id, attempt),
      attempt,
      purpose: 'unwind',
      shard: market.shard,
      limitPriceMicros: limitMicros,
      contractMicros: minMicros(tradable, contractMicros),
      state: 'stored',
    },
    next: { kind: 'continue' },
    writes: [alert(order, left)],
  });
}

function afterSending(attempt: StoredAttempt, outcome: PlaceOrderOutcome): Decision {
  if (outcome.kind === 'done') {
    const { exchangeOrderId, filledContractMicros } = outcome;
    return respond(attempt, { state: 'done', exchangeOrderId, filledContractMicros });
  }
  const { code, kind } = outcome;
  const details = { code, outcome: kind };
  const log = { level: 'warn', message: 'not traded back yet', details } as const;
  if (kind === 'unknown') return { ...respond(attempt, { state: 'unknown', code }), log };
  const response = recordResponse(attempt, { state: 'no_fill', code });
  return { ...park('unwind', RETRY_MS), response, log };
}

function respond(
  attempt: Pick<ExchangeAttempt, 'clientOrderId' | 'state'>,
  response: Omit<RecordedAttempt, 'clientOrderId' | 'from'>,
): Decided {
  const recorded = recordResponse(attempt, response);
  return decided({ from: 'unwind', response: recorded, next: { kind: 'continue' } });
}

/** Nothing can be done for now; the alert says what the house still holds, and why. */
function wait(order: TradeOrder, why: string): Decided {
  return { ...park('unwind', RETRY_MS), writes: [alert(order, why)] };
}

function alert({ id }: TradeOrder, internalDetail: string): Write {
  return { kind: 'raise_alert', alert: { kind: 'order_unwinding', subject: id, internalDetail } };
}

function audit({ id }: TradeOrder, action: string, reason: string): Write {
  return { kind: 'record_audit', entry: { actor: 'service', action, subject: id, reason } };
}

function end(order: TradeOrder, reason: string): Decided {
  return {
    // The order had already ended for its owner; this is not a second end.
    ...park('unwind', 0),
    set: { stage: 'done', isUnwinding: false },
    writes: [
      { kind: 'resolve_alert', alert: { kind: 'order_unwinding', subject: order.id } },
      audit(order, 'unwind_ended', reason),
    ],
  };
}
