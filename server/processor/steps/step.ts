import type { OrderRow } from '#server/domain/orders/lifecycle/lease.ts';
import type { OrderContext } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { NewAttempt, Pause, Transition } from '#server/domain/orders/lifecycle/transition.ts';
import type { StepDeps } from '../runner/stepDeps.ts';

/** What one uninterrupted run over an intent remembers; gone with the process, on purpose. */
export type StepRun = {
  /** What this very run has stored and not yet sent. */
  unsent?: Unsent;
  /** The same, of what the house trades back. */
  unsentUnwind?: NewAttempt;
  /** Whether what would end the intent has been asked of the node a second time. */
  hasLookedTwice?: boolean;
};

/** An attempt on its way, and the facts it was stored by. */
export type Unsent = {
  attempt: NewAttempt;
  facts: OrderContext;
  /** `nextRunAt` of the row when the facts were read: another one means that there are newer ones. */
  dueAt: Date;
};

/** Looks at the facts and decides what comes next. Every step may run twice. */
export type Step = (deps: StepDeps, order: OrderRow, run: StepRun) => Promise<Transition | Pause>;

/** Time that the chain needs to deliver what was bought. */
const DELIVERY_MS = 45_000;

/**
 * Time that an order needs when its answer is never heard: until its absence is proven, or it is
 * found and delivered. With less left the exchange is not asked.
 */
export function placingBudgetMs({ exchange }: Pick<StepDeps, 'exchange'>): number {
  return exchange.timing.absenceMs + DELIVERY_MS;
}

/** Woken earlier by what it waits for; this is only the safety net. */
export const PARK_FOR_CHAIN_MS = 5_000;

/**
 * The same for what a signer has been handed, whose end wakes the intent in the transaction that
 * writes it down. Where many wait for the signers, looking for nothing costs as much as working.
 */
export const PARK_FOR_SIGNER_MS = 15_000;

const SECOND_LOOK_MS = 1_000;

/**
 * A node may be some blocks behind and not know of a deposit or a permission yet: what ends an
 * intent on its word alone is asked once more.
 */
export function onSecondLook(run: StepRun, decision: Transition): Transition | Pause {
  if (decision.next.kind !== 'end' || run.hasLookedTwice) return decision;
  run.hasLookedTwice = true;
  return { pauseMs: SECOND_LOOK_MS };
}
