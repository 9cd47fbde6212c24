import type { TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import { lookUpAttempt } from '#server/domain/orders/lifecycle/lookUpAttempt.ts';
import type {
  ExchangeAttempt,
  OrderContext,
} from '#server/domain/orders/lifecycle/orderContext.ts';
import type { Pause, Transition } from '#server/domain/orders/lifecycle/transition.ts';
import type { StepDeps } from '../runner/stepDeps.ts';
import { lookAgain, recordResponse } from './exchangeAttempt.ts';
import { placingBudgetMs, type StepRun } from './step.ts';
import { findStop, parkFor, returnFunds, type Stop, timeLeftMs } from './storeAttempt.ts';

/** An attempt of an order in stage `place`, by the facts that it was read with. */
export type Attempted = {
  deps: StepDeps;
  order: TradeOrder;
  facts: OrderContext;
  attempt: ExchangeAttempt;
  run: StepRun;
};

/** Finds out what became of an attempt whose answer was never heard. */
export async function lookUp(attempted: Attempted): Promise<Transition | Pause> {
  const { deps, order, attempt } = attempted;
  const found = await lookUpAttempt(deps.exchange, order, attempt);
  if (found.kind === 'not_yet_known') return lookAgain('place', attempt.storedAt);
  if (found.kind === 'absent') return await storeAgain(attempted);
  const { exchangeOrderId, filledContractMicros } = found;
  return {
    from: 'place',
    answer: recordResponse(attempt, { state: 'done', exchangeOrderId, filledContractMicros }),
    next: { kind: 'continue' },
  };
}

/**
 * Nothing came of the attempt, nor can anything: it is stored anew with a new time, and sent by this
 * run. The client order id stays, so that the exchange takes one of all messages at most.
 */
export async function storeAgain(attempted: Attempted): Promise<Transition> {
  const { deps, order, facts, attempt, run } = attempted;
  const isLate = timeLeftMs(order) < placingBudgetMs(deps);
  const stop: Stop | undefined = isLate
    ? { reason: 'exchange_unavailable' }
    : await findStop(deps, order, facts);
  if (stop && 'waitMs' in stop) return parkFor(stop.waitMs);
  if (stop) {
    return {
      ...returnFunds(stop.reason),
      answer: recordResponse(attempt, {
        state: 'no_fill',
        ...(attempt.state === 'refused' ? {} : { code: 'absent' }),
      }),
    };
  }
  const { clientOrderId, contractMicros, limitPriceMicros } = attempt;
  run.unsent = {
    attempt: {
      clientOrderId,
      attempt: attempt.attempt,
      contractMicros,
      limitPriceMicros,
      state: 'stored',
    },
    facts,
    dueAt: order.nextRunAt,
  };
  return {
    from: 'place',
    answer: recordResponse(attempt, { state: 'stored' }),
    next: { kind: 'continue' },
  };
}
