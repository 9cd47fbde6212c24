import type { TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import type { Needed } from './decision.ts';
import type { FactsOf } from './facts.ts';
import { requestFailureReason } from './failureReasons.ts';

/** How long after an order's expiry a request may still show up in the chain's logs. */
export const LATE_REQUEST_MS = 30_000;

export type LockFact = 'isKnownToVault' | 'userTransaction';

/**
 * Whether the vault holds the input of an order that was once locked: it does, it will again, or it
 * never will.
 */
export type Lock =
  | { kind: 'held' }
  | { kind: 'awaited' }
  | { kind: 'lost'; reason: TerminationReason };

/**
 * A fork can take the lock back after the order has gone on. What is ours to send is sent again by
 * the signers, until it is through or can never be: the market may have settled on the new branch,
 * or the permission be gone. What the user sent comes back by itself, fails there, or does not come
 * before the order expires. While nothing is locked there is nothing to deliver or to return.
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
  // The logs may be read later than the vault knows.
  if (facts.isKnownToVault === undefined) return { kind: 'need', fact: 'isKnownToVault' };
  if (facts.isKnownToVault) return { kind: 'awaited' };
  const reason = request ? requestFailureReason(request.failure) : 'request_reverted';
  return { kind: 'lost', reason };
}

/** Of what the user sent: the order's time is over, or the transaction that had locked has failed. */
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
