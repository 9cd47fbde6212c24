import type { Operation } from '#server/chain/operations/latest.ts';
import type { NewOperation } from '#server/chain/operations/store.ts';
import { deliveryPosting, lockPosting } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import type { OrderContext, VaultEvent } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { asTradeOrder, rests, type TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import {
  type Decided,
  type Decision,
  decided,
  PARK_FOR_CHAIN_MS,
  PARK_FOR_SIGNER_MS,
  park,
} from './decision.ts';
import {
  failureResolved,
  isOutOfRoom,
  OUT_OF_ROOM,
  RETRY_MS,
  reportFailure,
  UNATTESTED,
  UNDELIVERABLE,
} from './deliveryFailure.ts';
import type { FactsOf } from './facts.ts';
import { decideLastPart } from './lastPart.ts';
import { decideLock, type LockFact } from './lock.ts';
import { refusalOf } from './refusedReceiver.ts';

type DeliverFacts = FactsOf<LockFact | 'deliveredTo' | 'vaultRoom' | 'storedFills'>;

/**
 * Delivers on chain what the exchange filled: the attested backing (buys only) and the fill, which
 * the signers send once the backing is on chain. Failures are retried and reported; the input is
 * returned only once the vault can never fill the order, or no longer holds its input.
 */
export function decideDeliver(row: OrderRow, facts: DeliverFacts, now: Date): Decision {
  const order = asTradeOrder(row);
  if (rests(order)) return decideLastPart(order, facts, now);
  const { events, operations } = facts.context;
  if (events.filled) return complete(order, facts, events.filled);
  if (events.refunded) return returnInput(order, facts.context);
  const lock = decideLock(order, facts, now);
  if (lock.kind === 'need') return lock;
  if (lock.kind === 'awaited') return park('deliver', PARK_FOR_CHAIN_MS);
  if (lock.kind === 'lost') return returnInput(order, facts.context);
  const { attest, fill } = operations;
  if (order.tradeAction === 'buy') {
    if (attest === undefined) return submit(deliveryOf(order), 'settling');
    if (attest.state === 'failed') {
      const retry = submit([nextOf(attest)], 'settlement_retried');
      return { ...retry, ...reportFailure(order, attest) };
    }
    if (attest.state !== 'succeeded') return park('deliver', PARK_FOR_SIGNER_MS);
  }
  if (fill === undefined) {
    // A sale starts with the fill; a purchase's event was recorded with its attestation.
    return submit([firstOf('fill')], order.tradeAction === 'sell' ? 'settling' : undefined);
  }
  return fill.state === 'failed'
    ? afterFailedFill(order, facts, now, fill)
    : park('deliver', PARK_FOR_SIGNER_MS);
}

/**
 * Starts the delivery of an order that is locked and of which nothing was delivered or refunded.
 * Otherwise undefined: its own step decides. A fork meanwhile has the same effect as one a moment
 * after the delivery started.
 */
export function beginDelivery(
  order: TradeOrder,
  { events, operations, mayPredateRestore }: OrderContext,
): Decided | undefined {
  const isUntouched =
    events.requested !== undefined &&
    events.filled === undefined &&
    events.refunded === undefined &&
    operations.attest === undefined &&
    operations.fill === undefined &&
    !mayPredateRestore;
  return isUntouched ? submit(deliveryOf(order), 'settling') : undefined;
}

/** A purchase needs its backing attested first; the signers hold its fill until then. */
function deliveryOf(order: TradeOrder): NewOperation[] {
  return order.tradeAction === 'buy' ? [firstOf('attest'), firstOf('fill')] : [firstOf('fill')];
}

function firstOf(kind: 'attest' | 'fill'): NewOperation {
  return { kind, attempt: 1, args: {} };
}

function nextOf({ kind, attempt }: Pick<Operation, 'kind' | 'attempt'>): NewOperation {
  return { kind, attempt: attempt + 1, args: { notBeforeMs: RETRY_MS } };
}

/** Queues operations of a delivery for the signers and waits for their outcome. */
function submit(operations: NewOperation[], event: string | undefined): Decided {
  const events = event ? [{ type: event }] : [];
  return { ...park('deliver', PARK_FOR_SIGNER_MS), operations, events };
}

function afterFailedFill(
  order: TradeOrder,
  facts: DeliverFacts,
  now: Date,
  fill: Operation,
): Decision {
  const failure = fill.failure ?? '';
  if (UNDELIVERABLE.has(failure)) return returnInput(order, facts.context);
  const report = reportFailure(order, fill);
  // Retried even past its expiry: only the vault's response ends it.
  if (OUT_OF_ROOM.has(failure) && order.expiresAt > now) {
    if (facts.vaultRoom === undefined) return { kind: 'need', fact: 'vaultRoom' };
    // Each attempt costs gas.
    if (isOutOfRoom(order, order.quoteUsdcMicros ?? 0n, facts.vaultRoom, now))
      return { ...park('deliver', RETRY_MS), ...report };
  }
  const attest = UNATTESTED.has(failure) ? facts.context.operations.attest : undefined;
  const operations = [...(attest ? [nextOf(attest)] : []), nextOf(fill)];
  return { ...submit(operations, 'settlement_retried'), ...report };
}

/**
 * Refunds the user in full; the bought contracts belong to the house, which trades them back under
 * an alert of its own.
 */
function returnInput(order: TradeOrder, { operations }: OrderContext): Decided {
  const isFillWaiting = operations.fill?.state === 'ready';
  return decided({
    from: 'deliver',
    set: { stage: 'refund', endingReason: 'settled_too_late' },
    events: [{ type: 'returning', detail: 'settled_too_late' }],
    next: { kind: 'continue' },
    writes: [
      ...(isFillWaiting ? [{ kind: 'withdraw_operation', operation: 'fill' } as const] : []),
      failureResolved(order),
    ],
  });
}

function complete(order: TradeOrder, facts: DeliverFacts, filled: VaultEvent): Decision {
  const { deliveredTo, context } = facts;
  if (deliveredTo === undefined) return { kind: 'need', fact: 'deliveredTo', filled };
  const { transactionHash } = filled;
  const refusal = refusalOf(order, deliveredTo, transactionHash);
  return decided({
    from: 'deliver',
    set: { status: 'completed', stage: 'done', isComplete: true, transactionHash },
    stamp: ['completedAt'],
    events: [...refusal, { type: 'completed', transactionHash }],
    // A fork may have removed the lock meanwhile; posting it again is idempotent.
    postings: [lockPosting(order), deliveryPosting(order, filled)],
    next: { kind: 'end' },
    // Without an earlier failure, the transition can share a statement with others.
    ...(hasFailed(context) && { writes: [failureResolved(order)] }),
  });
}

function hasFailed({ operations }: OrderContext): boolean {
  return [operations.attest, operations.fill].some(
    (operation) => operation && (operation.attempt > 1 || operation.state === 'failed'),
  );
}
