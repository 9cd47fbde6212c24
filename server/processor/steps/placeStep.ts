import { raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
import { asTradeOrder, type TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import { clientOrderIdOf } from '#server/domain/orders/lifecycle/clientOrderId.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/lease.ts';
import { lookUpAttempt } from '#server/domain/orders/lifecycle/lookUpAttempt.ts';
import { type OrderContext, readContext } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import type { Pause, Transition } from '#server/domain/orders/lifecycle/transition.ts';
import type { NoFillReason, PlaceOrderOutcome } from '#server/exchange/port.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { withTimeout } from '../../platform/withTimeout.ts';
import type { StepDeps } from '../runner/stepDeps.ts';
import { beginDelivery } from './beginDelivery.ts';
import { lookAgain, recordResponse, type StoredAttempt, sendAttempt } from './exchangeAttempt.ts';
import { lookUp, storeAgain } from './lookUp.ts';
import { type FilledAttempt, recordFills, recordNewFills } from './recordFills.ts';
import type { Step, StepRun } from './step.ts';
import { EXCHANGE_WAIT_MS, returnFunds, storeAttempt } from './storeAttempt.ts';

/** Between looks at an order whose fills do not show yet. */
const FILLS_PAUSE_MS = 250;
/** How long an answer is kept from the database for the sake of its fills. */
const FILLS_PATIENCE_MS = 1_000;
/** The exchange's code for an account without the cash that an order needs. */
const UNFUNDED = 'insufficient_balance';

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
  const { unsent } = run;
  // Whatever comes of it, it is sent once.
  delete run.unsent;
  if (unsent?.dueAt.getTime() === row.nextRunAt.getTime()) {
    // It was stored by the statement that the row is from, and has its time.
    const attempt = { ...unsent.attempt, storedAt: row.updatedAt };
    return await send(deps, order, unsent.facts, attempt);
  }
  const facts = await readContext(deps.database, row);
  const { attempt } = facts;
  if (attempt === undefined) {
    const forgotten = facts.mayBeForgotten
      ? await findForgottenAttempt(deps, order, facts)
      : undefined;
    return forgotten ?? (await ask({ deps, row, run }, facts, 1));
  }
  switch (attempt.state) {
    case 'stored':
      return unsent?.attempt.clientOrderId === attempt.clientOrderId
        ? await send(deps, order, facts, attempt)
        : await lookUp({ deps, order, facts, attempt, run });
    case 'unknown':
      return await lookUp({ deps, order, facts, attempt, run });
    case 'refused':
      return await storeAgain({ deps, order, facts, attempt, run });
    case 'no_fill':
      return await ask({ deps, row, run }, facts, attempt.attempt + 1);
    case 'done':
      return attempt.filledContractMicros === 0n
        ? returnFunds('price_moved')
        : ((await recordFills(deps, order, attempt)) ?? { pauseMs: FILLS_PAUSE_MS });
  }
};

/** Only the run that has stored an attempt may send it without looking for it first. */
async function ask(
  { deps, row, run }: { deps: StepDeps; row: OrderRow; run: StepRun },
  facts: OrderContext,
  attempt: number,
): Promise<Transition> {
  const transition = await storeAttempt(deps, asTradeOrder(row), facts, attempt);
  if (transition.attempt) {
    run.unsent = { attempt: transition.attempt, facts, dueAt: row.nextRunAt };
  }
  return transition;
}

/**
 * After the database was put back to an earlier moment the exchange may know an order that we do
 * not remember having sent. Its id is the one we would use now, so it is looked for first.
 */
async function findForgottenAttempt(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderContext,
): Promise<Transition | Pause | undefined> {
  const clientOrderId = clientOrderIdOf(order.id, 1);
  const { createdAt } = order;
  // It can have been stored at any time before the restore.
  const storedAt = facts.restoredAt ?? createdAt;
  const found = await lookUpAttempt(deps.exchange, order, { clientOrderId, storedAt, code: null });
  if (found.kind === 'absent') return undefined;
  if (found.kind === 'not_yet_known') return lookAgain('place', storedAt);
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
      exchangeOrderId: found.exchangeOrderId,
      filledContractMicros: found.filledContractMicros,
      storedAt: createdAt,
    },
    next: { kind: 'continue' },
  };
}

async function send(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderContext,
  attempt: StoredAttempt,
): Promise<Transition> {
  const { ticker, tradeAction: action, side } = order;
  const outcome = await sendAttempt(deps, order, { ticker, action, side }, attempt);
  const transition = answered(deps, order, facts, attempt, outcome);
  return outcome.kind === 'done'
    ? await withFills(deps, order, facts, transition, { ...attempt, ...outcome })
    : transition;
}

/**
 * What was filled is booked with the answer, and its delivery begun, where the exchange shows it at
 * once. What it does not show, or not yet, is no reason to keep the answer from the database.
 */
async function withFills(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderContext,
  answer: Transition,
  filled: FilledAttempt,
): Promise<Transition> {
  if (filled.filledContractMicros === 0n) return { ...answer, ...returnFunds('price_moved') };
  const reading = recordNewFills(deps, order, filled).catch((error: unknown) => {
    deps.log.debug({ err: error, orderId: order.id }, 'fills not read yet');
    return undefined;
  });
  const booked = await withTimeout(reading, FILLS_PATIENCE_MS);
  if (!booked) return answer;
  const delivery = beginDelivery(order, facts);
  const events = [...(booked.events ?? []), ...(delivery?.events ?? [])];
  return { ...answer, ...booked, ...delivery, from: 'place', events };
}

function answered(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderContext,
  attempt: StoredAttempt,
  outcome: PlaceOrderOutcome,
): Transition {
  const log = deps.log.child({ orderId: order.id, clientOrderId: attempt.clientOrderId });
  switch (outcome.kind) {
    case 'done':
      return {
        from: 'place',
        answer: recordResponse(attempt, {
          state: 'done',
          exchangeOrderId: outcome.exchangeOrderId,
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
        answer: recordResponse(attempt, { state: 'no_fill', code: outcome.code }),
      };
    case 'wait':
      log.warn({ code: outcome.code }, 'exchange asks to wait');
      return {
        from: 'place',
        answer: recordResponse(attempt, {
          state: outcome.spent ? 'no_fill' : 'refused',
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
        answer: recordResponse(attempt, { state: 'unknown', code: outcome.code }),
        next: { kind: 'continue' },
      };
  }
}

/** The user's money goes back, and somebody is told: the cause is on our side of the exchange. */
function ourFault(
  deps: StepDeps,
  order: TradeOrder,
  attempt: StoredAttempt,
  outcome: Extract<PlaceOrderOutcome, { kind: 'our_fault' }>,
): Transition {
  const { code, detail } = outcome;
  const isUnfunded = code.toLowerCase() === UNFUNDED;
  return {
    ...returnFunds(isUnfunded ? 'exchange_unfunded' : 'exchange_unavailable'),
    answer: recordResponse(attempt, { state: 'no_fill', code }),
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
  return Math.min(Math.max(untilRetryMs, EXCHANGE_WAIT_MS), 60_000);
}
