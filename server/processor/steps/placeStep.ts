import { raiseAlert, resolveAlert } from '#server/alerts/alerts.ts';
import type { Queryable } from '#server/db/client.ts';
import { ServiceError } from '#server/errors.ts';
import { move, tokenAsset } from '#server/ledger/ledger.ts';
import { isBeyondLimits } from '#server/limits/enforce.ts';
import { limitPriceFor } from '#server/markets/limitPrice.ts';
import { getRecentTradingMarket } from '#server/markets/tradingMarket.ts';
import { asTradeOrder, type TradeOrder } from '#server/orders/chainOrder.ts';
import { clientOrderIdOf } from '#server/orders/clientOrderId.ts';
import { type OrderFacts, readFacts, type VenueAttempt } from '#server/orders/facts.ts';
import type { TerminationReason } from '#server/orders/terminationReasons.ts';
import { tradeAmounts } from '#server/orders/tradeAmounts.ts';
import type { AttemptAnswer, Pause, Transition } from '#server/orders/transition.ts';
import { isStoppedByHand } from '#server/reconcile/suspensions.ts';
import type { NoFillReason, PlaceOrderOutcome, VenueFill } from '#server/venue/port.ts';
import type { StepDeps } from '../stepDeps.ts';
import { findLock } from './findLock.ts';
import { PLACING_BUDGET_MS } from './requestStep.ts';
import { PARK_FOR_CHAIN_MS, type Step, type StepRun } from './step.ts';

const RECONCILE_PAUSE_MS = 250;
const VENUE_WAIT_MS = 3_000;
/** New client order ids per order; each one follows a proven no-fill. */
const MAX_ATTEMPTS = 20;
/** The exchange's code for an account without the cash that an order needs. */
const UNFUNDED = 'insufficient_balance';
/** Its code for a client order id that was used before. */
const ALREADY_EXISTS = 'order_already_exists';

const NO_FILL_REASONS = {
  nothing_at_price: 'price_moved',
  price_not_allowed: 'exchange_refused',
  market_closed: 'market_closed',
  market_not_found: 'market_not_found',
  refused: 'exchange_refused',
} as const satisfies Record<NoFillReason, TerminationReason>;

/**
 * Asks the exchange, once. The attempt is stored before it is sent; whatever is unknown afterwards
 * is found out before anything else happens.
 */
export const placeStep: Step = async (deps, row, run) => {
  const order = asTradeOrder(row);
  const facts = await readFacts(deps.database, row);
  const { attempt } = facts;
  if (attempt === undefined) {
    const forgotten = facts.mayBeForgotten ? await findForgottenAttempt(deps, order) : undefined;
    return forgotten ?? (await storeAttempt(deps, order, facts, 1, run));
  }
  switch (attempt.state) {
    case 'stored':
      return run.unsentClientOrderId === attempt.clientOrderId
        ? await send(deps, order, facts, attempt, run)
        : await reconcile(deps, order, facts, attempt);
    case 'unknown':
      return await reconcile(deps, order, facts, attempt);
    case 'no_fill':
      return await storeAttempt(deps, order, facts, attempt.attempt + 1, run);
    case 'done':
      return attempt.filledContractMicros === 0n
        ? returnFunds('price_moved')
        : await recordFills(deps, order, attempt);
  }
};

/**
 * After the database was put back to an earlier moment the exchange may know an order that we do
 * not remember having sent. Its id is the one we would use now, so it is looked for first.
 */
async function findForgottenAttempt(
  deps: StepDeps,
  order: TradeOrder,
): Promise<Transition | Pause | undefined> {
  const clientOrderId = clientOrderIdOf(order.id, 1);
  const { createdAt } = order;
  const found = await deps.venue.findOrder({
    ticker: order.ticker,
    clientOrderId,
    sentAt: createdAt,
    since: createdAt,
  });
  if (found.kind === 'absent') return undefined;
  if (found.kind === 'not_yet_known' || !found.ended) return { pauseMs: RECONCILE_PAUSE_MS };
  return {
    from: 'place',
    set: { status: 'executing' },
    events: [{ type: 'executing' }],
    attempt: {
      clientOrderId,
      attempt: 1,
      // What it was sent with is not known any more.
      limitPriceMicros: 0n,
      contractMicros: order.contractMicros,
      state: 'done',
      code: 'found_after_restore',
      venueOrderId: found.venueOrderId,
      filledContractMicros: found.filledContractMicros,
      storedAt: createdAt,
    },
    next: { kind: 'continue' },
  };
}

function timeLeftMs(order: TradeOrder): number {
  return order.expiresAt.getTime() - Date.now();
}

function parkFor(delayMs: number): Transition {
  return { from: 'place', next: { kind: 'park', delayMs } };
}

function returnFunds(reason: TerminationReason): Transition {
  return {
    from: 'place',
    set: { stage: 'refund', endingReason: reason },
    events: [{ type: 'returning', detail: reason }],
    next: { kind: 'continue' },
  };
}

async function storeAttempt(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderFacts,
  attempt: number,
  run: StepRun,
): Promise<Transition> {
  if (facts.event('refunded')) return returnFunds('refunded_on_chain');
  if (timeLeftMs(order) < PLACING_BUDGET_MS || attempt > MAX_ATTEMPTS) {
    return returnFunds(attempt > 1 ? 'exchange_unavailable' : 'expired');
  }
  const stop = await findStop(deps, order, facts);
  if (stop) return 'reason' in stop ? returnFunds(stop.reason) : parkFor(stop.waitMs);
  const bound = await readBound(deps, order);
  if ('reason' in bound) return returnFunds(bound.reason);
  if ('waitMs' in bound) return parkFor(bound.waitMs);
  const clientOrderId = clientOrderIdOf(order.id, attempt);
  run.unsentClientOrderId = clientOrderId;
  return {
    from: 'place',
    set: { status: 'executing' },
    events: attempt === 1 ? [{ type: 'executing' }] : [],
    attempt: {
      clientOrderId,
      attempt,
      limitPriceMicros: bound.limitPriceMicros,
      contractMicros: order.contractMicros,
      state: 'stored',
    },
    next: { kind: 'continue' },
  };
}

/** What keeps an order from the exchange: for good, or for now. */
type Stop = { reason: TerminationReason } | { waitMs: number };

/** What chain and operators have changed since the order was taken; before the exchange is asked it counts. */
async function findStop(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderFacts,
): Promise<Stop | undefined> {
  const lock = await findLock(deps, order, facts);
  if (lock === 'awaited') return { waitMs: PARK_FOR_CHAIN_MS };
  if (lock !== 'stands') return { reason: lock.lost };
  const stopped = await isStoppedByHand(deps, order.ticker);
  if (stopped) return { reason: stopped };
  return (await isBeyondLimits(deps.database, order)) ? { reason: 'limit_reached' } : undefined;
}

async function readBound(
  deps: StepDeps,
  order: TradeOrder,
): Promise<{ limitPriceMicros: bigint } | Stop> {
  try {
    const { market, fee } = await getRecentTradingMarket(deps, order.ticker);
    if (market.status === 'paused' || market.status === 'unopened') {
      const lastChance = timeLeftMs(order) - VENUE_WAIT_MS < PLACING_BUDGET_MS;
      return lastChance ? { reason: 'market_paused' } : { waitMs: VENUE_WAIT_MS };
    }
    if (market.status !== 'open') return { reason: 'market_closed' };
    const limitPriceMicros = limitPriceFor({
      ranges: market.priceRanges,
      fee,
      action: order.tradeAction,
      side: order.side,
      contractMicros: order.contractMicros,
      boundMicros: order.limitUsdcMicros,
    });
    return limitPriceMicros === undefined ? { reason: 'price_moved' } : { limitPriceMicros };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'market_not_found') {
      return { reason: 'market_not_found' };
    }
    if (error instanceof ServiceError && error.code === 'fee_unknown') {
      return { reason: 'exchange_refused' };
    }
    throw error;
  }
}

async function send(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderFacts,
  attempt: VenueAttempt,
  run: StepRun,
): Promise<Transition> {
  delete run.unsentClientOrderId;
  deps.checkpoint('venue.before_place');
  const outcome = await deps.venue.placeOrder({
    clientOrderId: attempt.clientOrderId,
    ticker: order.ticker,
    action: order.tradeAction,
    side: order.side,
    contractMicros: attempt.contractMicros,
    limitPriceMicros: attempt.limitPriceMicros,
  });
  deps.checkpoint('venue.after_place');
  return answered(deps, order, facts, attempt, outcome);
}

function answered(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderFacts,
  attempt: VenueAttempt,
  outcome: PlaceOrderOutcome,
): Transition {
  const log = deps.log.child({ intentId: order.id, clientOrderId: attempt.clientOrderId });
  switch (outcome.kind) {
    case 'done':
      return {
        from: 'place',
        answer: recordAnswer(attempt, {
          state: 'done',
          venueOrderId: outcome.venueOrderId,
          filledContractMicros: outcome.filledContractMicros,
        }),
        ...(facts.isAccountInTrouble && outcome.filledContractMicros > 0n
          ? { write: (tx: Queryable) => withdrawAccountAlerts(deps, order, tx) }
          : {}),
        next: { kind: 'continue' },
      };
    case 'no_fill':
      return {
        ...returnFunds(NO_FILL_REASONS[outcome.reason]),
        answer: recordAnswer(attempt, { state: 'no_fill', code: outcome.code }),
      };
    case 'wait':
      log.warn({ code: outcome.code }, 'exchange asks to wait');
      return {
        from: 'place',
        answer: recordAnswer(attempt, {
          state: outcome.spent ? 'no_fill' : 'unknown',
          code: outcome.code,
        }),
        next: { kind: 'park', delayMs: waitMs(outcome.retryAt) },
      };
    case 'our_fault':
      return ourFault(deps, order, attempt, outcome);
    case 'unknown':
      log.warn({ code: outcome.code }, 'exchange outcome unknown');
      return {
        from: 'place',
        answer: recordAnswer(attempt, { state: 'unknown', code: outcome.code }),
        next: { kind: 'continue' },
      };
  }
}

/** The user's money goes back, and somebody is told: the cause is on our side of the exchange. */
function ourFault(
  deps: StepDeps,
  order: TradeOrder,
  attempt: VenueAttempt,
  outcome: Extract<PlaceOrderOutcome, { kind: 'our_fault' }>,
): Transition {
  const { code, detail } = outcome;
  const isUnfunded = code.toLowerCase() === UNFUNDED;
  return {
    ...returnFunds(isUnfunded ? 'exchange_unfunded' : 'exchange_unavailable'),
    answer: recordAnswer(attempt, { state: 'no_fill', code }),
    write: async (tx) => {
      await raiseAlert(
        { database: { orm: tx }, log: deps.log },
        {
          kind: isUnfunded ? 'exchange_unfunded' : 'exchange_account',
          internalDetail: `${code} ${detail} (${order.ticker}, intent ${order.id})`,
        },
      );
    },
  };
}

/** The exchange trades for us again; that it has cash for us only a buy shows. */
async function withdrawAccountAlerts(
  deps: StepDeps,
  order: TradeOrder,
  tx: Queryable,
): Promise<void> {
  const alertDeps = { database: { orm: tx }, log: deps.log };
  await resolveAlert(alertDeps, { kind: 'exchange_account' });
  if (order.tradeAction === 'buy') await resolveAlert(alertDeps, { kind: 'exchange_unfunded' });
}

function waitMs(retryAt: Date | undefined): number {
  const untilRetryMs = (retryAt?.getTime() ?? 0) - Date.now();
  return Math.min(Math.max(untilRetryMs, VENUE_WAIT_MS), 60_000);
}

/**
 * Finds out what became of an attempt whose answer was never heard. Proven absent, the same client
 * order id is sent again: should the first message still arrive, the exchange refuses the second.
 */
async function reconcile(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderFacts,
  attempt: VenueAttempt,
): Promise<Transition | Pause> {
  const found = await deps.venue.findOrder({
    ticker: order.ticker,
    clientOrderId: attempt.clientOrderId,
    sentAt: attempt.storedAt,
    since: order.createdAt,
  });
  if (found.kind === 'not_yet_known') return { pauseMs: RECONCILE_PAUSE_MS };
  if (found.kind === 'absent') {
    // The exchange has said itself that it knows the id: its list is what lags.
    if (attempt.code === ALREADY_EXISTS) return { pauseMs: RECONCILE_PAUSE_MS };
    return await sendAgain(deps, order, facts, attempt);
  }
  if (!found.ended) return { pauseMs: RECONCILE_PAUSE_MS };
  return {
    from: 'place',
    answer: recordAnswer(attempt, {
      state: 'done',
      venueOrderId: found.venueOrderId,
      filledContractMicros: found.filledContractMicros,
    }),
    next: { kind: 'continue' },
  };
}

async function sendAgain(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderFacts,
  attempt: VenueAttempt,
): Promise<Transition> {
  const isLate = timeLeftMs(order) < PLACING_BUDGET_MS;
  const stop: Stop | undefined = isLate
    ? { reason: 'exchange_unavailable' }
    : await findStop(deps, order, facts);
  if (stop === undefined) return await send(deps, order, facts, attempt, {});
  if ('waitMs' in stop) return parkFor(stop.waitMs);
  return {
    ...returnFunds(stop.reason),
    answer: recordAnswer(attempt, { state: 'no_fill', code: 'absent' }),
  };
}

function recordAnswer(
  { clientOrderId, state }: VenueAttempt,
  answer: Omit<AttemptAnswer, 'clientOrderId' | 'from'>,
): AttemptAnswer {
  return { ...answer, clientOrderId, from: state };
}

/** Waits until the exchange shows every fill that the order reported, then books them. */
async function recordFills(
  deps: StepDeps,
  order: TradeOrder,
  attempt: VenueAttempt,
): Promise<Transition | Pause> {
  const fills = await deps.venue.listFills({
    ticker: order.ticker,
    venueOrderId: attempt.venueOrderId ?? '',
    side: order.side,
    sentAt: order.createdAt,
  });
  const seen = fills.reduce((sum, fill) => sum + fill.contractMicros, 0n);
  if (seen < (attempt.filledContractMicros ?? 0n)) return { pauseMs: RECONCILE_PAUSE_MS };
  deps.checkpoint('venue.fills_read');
  return filledTransition(order, attempt, fills);
}

function filledTransition(
  order: TradeOrder,
  attempt: VenueAttempt,
  fills: VenueFill[],
): Transition {
  const amounts = tradeAmounts(order, fills);
  const asset = tokenAsset(order.ticker, order.side);
  const lines =
    order.tradeAction === 'buy'
      ? [
          ...move('usdc', 'treasury', 'exchange', amounts.venueUsdcMicros),
          ...move(asset, 'exchange', 'treasury', amounts.filledContractMicros),
        ]
      : [
          ...move('usdc', 'exchange', 'treasury', amounts.venueUsdcMicros),
          ...move(asset, 'treasury', 'exchange', amounts.filledContractMicros),
        ];
  return {
    from: 'place',
    set: {
      stage: 'settle',
      filledContractMicros: amounts.filledContractMicros,
      quoteUsdcMicros: amounts.quoteUsdcMicros,
      feeUsdcMicros: amounts.feeUsdcMicros,
      returnedUsdcMicros: amounts.returnedUsdcMicros,
      returnedContractMicros: amounts.returnedContractMicros,
    },
    stamp: ['txnFilledAt'],
    events: [{ type: 'filled' }],
    legs: [{ leg: 'trade', lines }],
    fills: fills.map((fill) => ({ ...fill, clientOrderId: attempt.clientOrderId })),
    next: { kind: 'continue' },
  };
}
