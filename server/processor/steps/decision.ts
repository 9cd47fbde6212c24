import type { NewAlert } from '#server/domain/admin/alerts.ts';
import type { AuditEntry } from '#server/domain/admin/audit.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/lease.ts';
import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { RecordedAttempt, Transition } from '#server/domain/orders/lifecycle/transition.ts';
import type { TradeAction } from '#server/exchange/port.ts';
import type { FactName, KnownFacts, Need, StepSettings } from './facts.ts';

/**
 * What a step decides. It reads and writes nothing itself: `server/processor/runner/` meets its
 * needs, applies its transitions, and asks again.
 */
export type Decision = Needed | Paused | Decided;

/** A fact is needed first; the step is asked again with it. Each fact is needed once at most. */
export type Needed<Name extends FactName = FactName> = { kind: 'need' } & Need<Name>;

/** Nothing can be done for a moment: keep the lease, and decide anew by facts that are read anew. */
export type Paused = {
  kind: 'pause';
  pauseMs: number;
  /** What is read then confirms what would end the order. */
  isConfirming?: true;
};

/** A transition to write, with everything that belongs to it. */
export type Decided = Omit<Transition, 'write'> & {
  kind: 'transition';
  /** Written in the transaction of the transition. */
  writes?: Write[];
  log?: { level: 'warn' | 'error'; message: string; details: Record<string, unknown> };
};

/** What may be written along with a transition. */
export type Write =
  | { kind: 'raise_alert'; alert: NewAlert }
  | { kind: 'resolve_alert'; alert: Pick<NewAlert, 'kind' | 'subject'> }
  | { kind: 'record_audit'; entry: AuditEntry }
  /** An operation that no signer has taken yet is taken back. */
  | { kind: 'withdraw_operation'; operation: 'fill' }
  /** The books take back that the input was locked. */
  | { kind: 'remove_lock_posting' }
  /** What the exchange had paid for a market before these fills of it were booked. */
  | { kind: 'book_payout'; attempt: number; tradeAction: TradeAction; contractMicros: bigint };

/** Woken earlier by what it waits for; this is only the safety net. */
export const PARK_FOR_CHAIN_MS = 5_000;

/**
 * The same for what a signer has been handed, whose end wakes the order in the transaction that
 * writes it down. Where many wait for the signers, looking for nothing costs as much as working.
 */
export const PARK_FOR_SIGNER_MS = 15_000;

const SECOND_CHECK_MS = 1_000;

/** Time that the chain needs to deliver what was bought. */
const DELIVERY_MS = 45_000;

const MOST_PAUSE_MS = 1_000;
const LEAST_WAIT_MS = 250;
const MOST_WAIT_MS = 3_000;

export function decided(transition: Omit<Transition, 'write'>): Decided {
  return { kind: 'transition', ...transition };
}

/** Waits: something, or the time, wakes the order. */
export function park(from: OrderRow['stage'], delayMs: number): Decided {
  return decided({ from, next: { kind: 'park', delayMs } });
}

/**
 * Time that an order needs when the exchange's response is lost: until its absence is proven, or it
 * is found and delivered. With less left the exchange is not asked.
 */
export function placingBudgetMs({ absenceMs }: StepSettings): number {
  return absenceMs + DELIVERY_MS;
}

/**
 * A node may be some blocks behind and not know of a deposit or a permission yet: what ends an
 * order on its word alone is read once more.
 */
export function confirmEnd(
  { isConfirmed }: Pick<KnownFacts, 'isConfirmed'>,
  decision: Decision,
): Decision {
  const isEnd = decision.kind === 'transition' && decision.next.kind === 'end';
  return isEnd && !isConfirmed
    ? { kind: 'pause', pauseMs: SECOND_CHECK_MS, isConfirming: true }
    : decision;
}

/** The exchange's response to an attempt, as long as the attempt is as it was seen. */
export function recordResponse(
  { clientOrderId, state }: Pick<ExchangeAttempt, 'clientOrderId' | 'state'>,
  response: Omit<RecordedAttempt, 'clientOrderId' | 'from'>,
): RecordedAttempt {
  return { ...response, clientOrderId, from: state };
}

/** Soon for what was sent just now, and ever more rarely for what does not show. */
export function lookUpAgain(from: OrderRow['stage'], storedAt: Date, now: Date): Decision {
  const ageMs = now.getTime() - storedAt.getTime();
  const waitMs = Math.min(Math.max(ageMs / 4, LEAST_WAIT_MS), MOST_WAIT_MS);
  return waitMs <= MOST_PAUSE_MS ? { kind: 'pause', pauseMs: waitMs } : park(from, waitMs);
}
