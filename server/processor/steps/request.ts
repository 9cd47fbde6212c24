import { lockPosting } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import type { VaultEvent } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import {
  asTradeOrder,
  awaitsTrigger,
  isLongLived,
  SEND_WITHIN_MS,
  type TradeOrder,
} from '#server/domain/orders/lifecycle/orderRow.ts';
import { endFailed } from '#server/domain/orders/lifecycle/transition.ts';
import {
  confirmEnd,
  type Decided,
  type Decision,
  decided,
  PARK_FOR_CHAIN_MS,
  PARK_FOR_SIGNER_MS,
  park,
  refusedEvent,
} from './decision.ts';
import type { FactsOf } from './facts.ts';
import { requestFailureReason } from './failureReasons.ts';
import { decideGrant, type GrantFact } from './grant.ts';
import { LATE_REQUEST_MS } from './lock.ts';
import { decideStoring, placingTimeMs, type StoringFact } from './storeAttempt.ts';

type RequestFacts = FactsOf<GrantFact | StoringFact>;

/** Timeout of the exchange's market status, so that it does not delay recording the lock. */
const PLACING_TIMEOUT_MS = 1_000;

/** The vault's error for a known order: its event exists or is about to be read. */
const KNOWN_TO_THE_VAULT = 'BadStatus';

/**
 * Locks the input in the vault. For an order that the service places, an operator sends the request
 * under the owner's grant; a user's own request is only watched for. In both cases only the vault's
 * event proves that the funds are locked.
 */
export function decideRequest(row: OrderRow, facts: RequestFacts, now: Date): Decision {
  const order = asTradeOrder(row);
  const { requested } = facts.context.events;
  if (requested) return afterLock(order, facts, now, lockedTransition(order, requested));
  return order.kind === 'calldata'
    ? awaitUser(order, facts, now)
    : requestForUser(order, facts, now);
}

/**
 * The funds are locked in any case; a request that the user sent after cancelling is refunded at
 * once.
 */
function lockedTransition(order: TradeOrder, requested: VaultEvent): Decided {
  const { transactionHash } = requested;
  const isCancelled = order.cancelRequestedAt !== null;
  return decided({
    from: 'request',
    set: isCancelled
      ? { status: 'validated', stage: 'refund', endingReason: 'cancelled' }
      : { status: 'validated', stage: awaitsTrigger(order) ? 'trigger' : 'place' },
    stamp: ['balanceValidatedAt'],
    events: [
      { type: 'validated', transactionHash },
      ...(isCancelled ? [{ type: 'returning', detail: 'cancelled' }] : []),
    ],
    postings: [lockPosting(order)],
    next: { kind: 'continue' },
  });
}

/**
 * Stores the exchange attempt together with the lock if nothing prevents it. Everything else is
 * decided in its own step, once the lock is recorded.
 */
function afterLock(order: TradeOrder, facts: RequestFacts, now: Date, locked: Decided): Decision {
  const { attempt, mayPredateRestore } = facts.context;
  const isPlacedLater = awaitsTrigger(order) || attempt || mayPredateRestore || facts.isLate;
  if (order.cancelRequestedAt !== null || isPlacedLater) return locked;
  const storing = decideStoring(order, facts, now, 1);
  if (storing.kind === 'need') {
    const timeoutMs = facts.readAt.getTime() + PLACING_TIMEOUT_MS - now.getTime();
    return timeoutMs > 0 ? { ...storing, timeoutMs } : locked;
  }
  return storing.attempt ? lockedAndStored(locked, storing) : locked;
}

/** Merges both; the log reads as if they had happened in sequence. */
function lockedAndStored(locked: Decided, stored: Decided): Decided {
  const before = (locked.events ?? []).map((event) => ({ ...event, status: locked.set?.status }));
  return {
    ...locked,
    // An order that the user has cancelled is refunded.
    unlessCancelled: true,
    set: { ...locked.set, ...stored.set },
    ...(stored.attempt && { attempt: stored.attempt }),
    events: [...before, ...(stored.events ?? [])],
  };
}

/**
 * A cancelled order ends at once: if the wallet sends it anyway, it becomes an orphaned request,
 * whose funds are returned just the same.
 */
function awaitUser(order: TradeOrder, facts: RequestFacts, now: Date): Decision {
  const sendBy = isLongLived(order)
    ? order.createdAt.getTime() + SEND_WITHIN_MS
    : order.expiresAt.getTime();
  const untilTooLateMs = sendBy + LATE_REQUEST_MS - now.getTime();
  if (untilTooLateMs > 0 && order.cancelRequestedAt === null)
    return park('request', untilTooLateMs);
  // After a long stop the logs lag behind: the vault already knows the order.
  if (facts.isKnownToVault === undefined) return { kind: 'need', fact: 'isKnownToVault' };
  if (facts.isKnownToVault) return park('request', PARK_FOR_CHAIN_MS);
  return decided(endFailed('request', order.cancelRequestedAt ? 'cancelled' : 'not_submitted'));
}

function requestForUser(order: TradeOrder, facts: RequestFacts, now: Date): Decision {
  const operation = facts.context.operations.request;
  if (operation?.state === 'failed' && operation.failure === KNOWN_TO_THE_VAULT) {
    return park('request', PARK_FOR_CHAIN_MS);
  }
  if (operation?.state === 'failed') {
    const { failure } = operation;
    const events = [refusedEvent('request_refused', operation)];
    return decided(endFailed('request', requestFailureReason(failure), { events }));
  }
  if (operation) return park('request', PARK_FOR_SIGNER_MS);
  if (order.cancelRequestedAt) return decided(endFailed('request', 'cancelled'));
  // It may have been cancelled, or have ended, in the period that the restore lost.
  if (facts.context.mayPredateRestore) return decided(endFailed('request', 'service_interrupted'));
  if (placingTimeMs(order, facts.settings, now) < 0) {
    return decided(endFailed('request', 'expired'));
  }
  const { account } = facts;
  if (account === undefined) return { kind: 'need', fact: 'account' };
  const isBuy = order.tradeAction === 'buy';
  const inputMicros = isBuy ? order.quoteLimitUsdcMicros : order.contractMicros;
  if ((isBuy ? account.usdcMicros : account.contractMicros) < inputMicros) {
    return confirmEnd(facts, decided(endFailed('request', 'insufficient_funds')));
  }
  const grant = decideGrant(order, facts, now, {
    orderUsdcMicros: inputMicros,
    isSigned: order.orderSignature !== null,
  });
  if (grant) return confirmEnd(facts, grant);
  return {
    ...park('request', PARK_FOR_SIGNER_MS),
    unlessCancelled: true,
    operations: [{ kind: 'request', attempt: 1, args: {} }],
    events: [{ type: 'locking' }],
  };
}
