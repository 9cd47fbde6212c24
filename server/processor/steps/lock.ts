import type { TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import type { Needed } from './decision.ts';
import type { FactsOf } from './facts.ts';
import { requestFailureReason } from './failureReasons.ts';

/** How long after an order's expiry a request may still show up in the chain's logs. */
export const LATE_REQUEST_MS = 30_000;

export type LockFact = 'isKnownToVault' | 'userTransaction';

/**
 * Whether the vault holds the input of an order that was once locked: now, later, or never again.
 */
export type Lock =
  | { kind: 'held' }
  | { kind: 'awaited' }
  | { kind: 'lost'; reason: TerminationReason };

/**
 * A fork can remove the lock after the order has progressed. The signers send our own request again
 * until it succeeds or permanently fails: the market may have settled on the new branch, or the
 * grant be gone. The user's transaction reappears, fails, or does not arrive before the order
 * expires. Without a lock there is nothing to deliver or refund.
 */
export function decideLock(
  order: TradeOrder,
  facts: FactsOf<LockFact>,
  now: Date,
): Lock | Needed<LockFact> {
  if (facts.context.events.requested) return { kind: 'held' };
  const { request } = facts.context.operations;
  const isGivenUp = request ? request.state === 'failed' : isNeverComing(order, facts, now);
  if (isGivenUp === undefined) return { kind: 'need', fact: 'userTransaction' };
  if (!isGivenUp) return { kind: 'awaited' };
  // The logs may lag behind the vault's state.
  if (facts.isKnownToVault === undefined) return { kind: 'need', fact: 'isKnownToVault' };
  if (facts.isKnownToVault) return { kind: 'awaited' };
  const reason = request ? requestFailureReason(request.failure) : 'request_reverted';
  return { kind: 'lost', reason };
}

/** For a user's request: the order has expired, or the locking transaction has failed. */
function isNeverComing(
  order: TradeOrder,
  { userTransaction, settings }: FactsOf<LockFact>,
  now: Date,
): boolean | undefined {
  if (order.expiresAt.getTime() + LATE_REQUEST_MS < now.getTime()) return true;
  if (userTransaction === undefined) return undefined;
  if (!userTransaction?.hasFailed) return false;
  return userTransaction.confirmations >= settings.confirmations;
}
