import type { Operation } from '#server/chain/operations/latest.ts';
import type { NewAlert } from '#server/domain/admin/alerts.ts';
import type { AuditEntry } from '#server/domain/admin/audit.ts';
import type { ExchangeAttempt } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import type {
  NewEvent,
  RecordedAttempt,
  Transition,
} from '#server/domain/orders/lifecycle/transition.ts';
import type { TradeAction } from '#server/exchange/port.ts';
import type { FactName, KnownFacts, Need } from './facts.ts';

/**
 * The decision of a step. The step reads and writes nothing itself: `server/processor/runner/`
 * supplies its facts, applies its transitions, and calls it again.
 */
export type Decision = Needed | Paused | Decided;

/** The step needs a fact first and is called again with it. Each fact is read at most once. */
export type Needed<Name extends FactName = FactName> = { kind: 'need' } & Need<Name>;

/** Nothing can be done for a moment: keep the lease, then decide with facts that are read again. */
export type Paused = {
  kind: 'pause';
  pauseMs: number;
  /** The next read confirms what would end the order. */
  isConfirming?: true;
};

/** A transition with everything that belongs to it. */
export type Decided = Omit<Transition, 'write'> & {
  kind: 'transition';
  /** Written in the transition's transaction. */
  writes?: Write[];
  log?: { level: 'warn' | 'error'; message: string; details: Record<string, unknown> };
};

export type Write =
  | { kind: 'raise_alert'; alert: NewAlert }
  | { kind: 'resolve_alert'; alert: Pick<NewAlert, 'kind' | 'subject'> }
  | { kind: 'record_audit'; entry: AuditEntry }
  /** Withdraws an operation that no signer has taken yet. */
  | { kind: 'withdraw_operation'; operation: 'fill' }
  | { kind: 'remove_lock_posting' }
  /** The exchange's payout of a market before these fills were recorded. */
  | { kind: 'book_payout'; attempt: number; tradeAction: TradeAction; contractMicros: bigint };

/** A safety net: the awaited event wakes the order earlier. */
export const PARK_FOR_CHAIN_MS = 5_000;

/**
 * The same for operations queued for a signer, whose outcome wakes the order in the transaction
 * that stores it. Under load, idle polls would cost as much as work.
 */
export const PARK_FOR_SIGNER_MS = 15_000;

const SECOND_CHECK_MS = 1_000;

const MOST_PAUSE_MS = 1_000;
const LEAST_WAIT_MS = 250;
const MOST_WAIT_MS = 3_000;

export function decided(transition: Omit<Decided, 'kind'>): Decided {
  return { kind: 'transition', ...transition };
}

/** Waits until an event or the delay wakes the order. */
export function park(from: OrderRow['stage'], delayMs: number): Decided {
  return decided({ from, next: { kind: 'park', delayMs } });
}

/**
 * A node may lag by some blocks and miss a deposit or a grant: what would end an order on the
 * node's response alone is read once more.
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

/** Records the exchange's response, as long as the attempt has not changed since it was read. */
export function recordResponse(
  { clientOrderId, state }: Pick<ExchangeAttempt, 'clientOrderId' | 'state'>,
  response: Omit<RecordedAttempt, 'clientOrderId' | 'from'>,
): RecordedAttempt {
  return { ...response, clientOrderId, from: state };
}

/** The entry of the order's log about an operation that the chain refused. */
export function refusedEvent(type: string, { failure, transactionHash }: Operation): NewEvent {
  return {
    type,
    detail: failure ?? undefined,
    transactionHash: transactionHash ?? undefined,
  };
}

/** Polls soon after sending, and then at growing intervals. */
export function lookUpAgain(from: OrderRow['stage'], storedAt: Date, now: Date): Decision {
  const ageMs = now.getTime() - storedAt.getTime();
  const waitMs = Math.min(Math.max(ageMs / 4, LEAST_WAIT_MS), MOST_WAIT_MS);
  return waitMs <= MOST_PAUSE_MS ? { kind: 'pause', pauseMs: waitMs } : park(from, waitMs);
}
