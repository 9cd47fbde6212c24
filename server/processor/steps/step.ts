import type { OrderRow } from '#server/orders/lease.ts';
import type { Pause, Transition } from '#server/orders/transition.ts';
import type { StepDeps } from '../stepDeps.ts';

/** What one uninterrupted run over an intent remembers; gone with the process, on purpose. */
export type StepRun = {
  /** Client order id that this very run has stored and not yet sent. */
  unsentClientOrderId?: string;
  /** Whether what would end the intent has been asked of the node a second time. */
  hasLookedTwice?: boolean;
};

/** Looks at the facts and decides what comes next. Every step may run twice. */
export type Step = (deps: StepDeps, order: OrderRow, run: StepRun) => Promise<Transition | Pause>;

/** Woken earlier by what it waits for; this is only the safety net. */
export const PARK_FOR_CHAIN_MS = 5_000;

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
