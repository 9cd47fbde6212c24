import type { OrderRow } from '#server/domain/orders/lifecycle/lease.ts';
import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import { mayBeSent } from '#server/domain/orders/lifecycle/sendPermit.ts';
import type {
  NewAttempt,
  Pause,
  RecordedAttempt,
  Transition,
} from '#server/domain/orders/lifecycle/transition.ts';
import type { PlaceOrderOutcome, PlaceOrderRequest } from '#server/exchange/port.ts';
import type { StepDeps } from '../runner/stepDeps.ts';

/** What is sent of an attempt, how it was, and the time it was stored at and is signed with. */
export type StoredAttempt = Pick<
  NewAttempt,
  'clientOrderId' | 'contractMicros' | 'limitPriceMicros' | 'state'
> & { storedAt: Date };

/** How long a step waits for what is about to show before it gives the order back. */
const MOST_PAUSE_MS = 1_000;
const LEAST_WAIT_MS = 250;
const MOST_WAIT_MS = 3_000;

/** Asks the exchange, if the attempt may still leave once nothing is left to wait for. */
export async function sendAttempt(
  deps: StepDeps,
  row: OrderRow,
  trade: Pick<PlaceOrderRequest, 'ticker' | 'action' | 'side'>,
  attempt: StoredAttempt,
): Promise<PlaceOrderOutcome> {
  const { clientOrderId, contractMicros, limitPriceMicros, storedAt } = attempt;
  deps.checkpoint('exchange.before_place');
  const outcome = await deps.exchange.placeOrder({
    ...trade,
    clientOrderId,
    contractMicros,
    limitPriceMicros,
    storedAt,
    async mayBeSent() {
      const may = await mayBeSent(deps, row, attempt);
      deps.checkpoint('exchange.send_permitted');
      return may;
    },
  });
  deps.checkpoint('exchange.after_place');
  return outcome;
}

/** The answer to an attempt, for as long as it stands as it was seen. */
export function recordResponse(
  { clientOrderId, state }: Pick<ExchangeAttempt, 'clientOrderId' | 'state'>,
  answer: Omit<RecordedAttempt, 'clientOrderId' | 'from'>,
): RecordedAttempt {
  return { ...answer, clientOrderId, from: state };
}

/** Looks soon for what was sent just now, and ever more rarely for what stays away. */
export function lookAgain(from: OrderRow['stage'], since: Date): Transition | Pause {
  const ageMs = Date.now() - since.getTime();
  const waitMs = Math.min(Math.max(ageMs / 4, LEAST_WAIT_MS), MOST_WAIT_MS);
  return waitMs <= MOST_PAUSE_MS
    ? { pauseMs: waitMs }
    : { from, next: { kind: 'park', delayMs: waitMs } };
}
