import { asTradeOrder, type TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/lease.ts';
import { lockPosting } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import type { VaultEvent } from '#server/domain/orders/lifecycle/orderContext.ts';
import { endFailed } from '#server/domain/orders/lifecycle/transition.ts';
import {
  confirmEnd,
  type Decided,
  type Decision,
  decided,
  PARK_FOR_CHAIN_MS,
  PARK_FOR_SIGNER_MS,
  park,
  placingBudgetMs,
} from './decision.ts';
import type { FactsOf } from './facts.ts';
import { requestFailureReason } from './failureReasons.ts';
import { decideGrant, type GrantFact } from './grant.ts';
import { LATE_REQUEST_MS } from './lock.ts';
import { decideStoring, type StoringFact } from './storeAttempt.ts';

export type RequestFacts = FactsOf<GrantFact | StoringFact>;

/** An exchange that takes longer to say how a market is does not keep the lock from being recorded. */
const PLACING_TIMEOUT_MS = 1_000;

/** What the vault answers to an order it has had before: its event is there, or about to be read. */
const KNOWN_TO_THE_VAULT = 'BadStatus';

/**
 * Gets the input locked in the vault. An order that the service places is requested by one of our
 * operators under the owner's grant; one that the user sends is only watched for. Either way the
 * vault's event, and nothing else, says that the funds are locked.
 */
export function decideRequest(row: OrderRow, facts: RequestFacts, now: Date): Decision {
  const order = asTradeOrder(row);
  const { requested } = facts.context.events;
  if (requested) return afterLock(order, facts, now, lockedTransition(order, requested));
  return order.kind === 'calldata'
    ? awaitUser(order, facts, now)
    : requestForUser(order, facts, now);
}

/** Locked is locked: what the user has sent after cancelling goes back at once. */
function lockedTransition(order: TradeOrder, requested: VaultEvent): Decided {
  const { transactionHash } = requested;
  const isCancelled = order.cancelRequestedAt !== null;
  return decided({
    from: 'request',
    set: isCancelled
      ? { status: 'validated', stage: 'refund', endingReason: 'cancelled' }
      : { status: 'validated', stage: 'place' },
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
 * That the exchange is about to be asked can be stored together with the lock, where nothing speaks
 * against asking it. Everything else is decided in its own step, once the lock is recorded.
 */
function afterLock(order: TradeOrder, facts: RequestFacts, now: Date, locked: Decided): Decision {
  const { attempt, mayPredateRestore } = facts.context;
  if (order.cancelRequestedAt !== null || attempt || mayPredateRestore || facts.isLate)
    return locked;
  const storing = decideStoring(order, facts, now, 1);
  if (storing.kind === 'need') {
    const timeoutMs = facts.readAt.getTime() + PLACING_TIMEOUT_MS - now.getTime();
    return timeoutMs > 0 ? { ...storing, timeoutMs } : locked;
  }
  return storing.attempt ? lockedAndStored(locked, storing) : locked;
}

/** Its log reads as if one had come after the other. */
function lockedAndStored(locked: Decided, stored: Decided): Decided {
  const before = (locked.events ?? []).map((event) => ({ ...event, status: locked.set?.status }));
  return {
    ...locked,
    // An order that its user was told is cancelled gets the funds back.
    unlessCancelled: true,
    set: { ...locked.set, ...stored.set },
    ...(stored.attempt && { attempt: stored.attempt }),
    events: [...before, ...(stored.events ?? [])],
  };
}

/**
 * A cancelled order need not wait: a wallet that sends it all the same makes an orphaned request,
 * whose funds are sent back as they would be from here.
 */
function awaitUser(order: TradeOrder, facts: RequestFacts, now: Date): Decision {
  const untilTooLateMs = order.expiresAt.getTime() + LATE_REQUEST_MS - now.getTime();
  if (untilTooLateMs > 0 && order.cancelRequestedAt === null)
    return park('request', untilTooLateMs);
  // After a long stop the logs are still being read: the vault knows already what they will say.
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
    const { failure, transactionHash } = operation;
    const detail = failure ?? undefined;
    const refused = {
      type: 'request_refused',
      detail,
      transactionHash: transactionHash ?? undefined,
    };
    return decided(endFailed('request', requestFailureReason(failure), { events: [refused] }));
  }
  if (operation) return park('request', PARK_FOR_SIGNER_MS);
  if (order.cancelRequestedAt) return decided(endFailed('request', 'cancelled'));
  // It may have been cancelled, or have ended, in the time that was forgotten.
  if (facts.context.mayPredateRestore) return decided(endFailed('request', 'service_interrupted'));
  if (order.expiresAt.getTime() - now.getTime() < placingBudgetMs(facts.settings)) {
    return decided(endFailed('request', 'expired'));
  }
  const { account } = facts;
  if (account === undefined) return { kind: 'need', fact: 'account' };
  const isBuy = order.tradeAction === 'buy';
  const inputMicros = isBuy ? order.quoteLimitUsdcMicros : order.contractMicros;
  if ((isBuy ? account.usdcMicros : account.contractMicros) < inputMicros) {
    return confirmEnd(facts, decided(endFailed('request', 'insufficient_funds')));
  }
  const grant = decideGrant(order, facts, now, { orderUsdcMicros: inputMicros });
  if (grant) return confirmEnd(facts, grant);
  return {
    ...park('request', PARK_FOR_SIGNER_MS),
    unlessCancelled: true,
    operations: [{ kind: 'request', attempt: 1, args: {} }],
    events: [{ type: 'locking' }],
  };
}
