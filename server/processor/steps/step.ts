import type { OrderRow } from '#server/orders/lease.ts';
import type { Pause, Transition } from '#server/orders/transition.ts';
import type { StepDeps } from '../stepDeps.ts';

/** What one uninterrupted run over an intent remembers; gone with the process, on purpose. */
export type StepRun = {
  /** Client order id that this very run has stored and not yet sent. */
  unsentClientOrderId?: string;
};

/** Looks at the facts and decides what comes next. Every step may run twice. */
export type Step = (deps: StepDeps, order: OrderRow, run: StepRun) => Promise<Transition | Pause>;

/** Woken earlier by what it waits for; this is only the safety net. */
export const PARK_FOR_CHAIN_MS = 5_000;
