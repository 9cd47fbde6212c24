import { formatMicros, minMicros } from '#lib/money.ts';
import type { Operation } from '#server/chain/operations/latest.ts';
import type { NewOperation } from '#server/chain/operations/store.ts';
import { roomOf, type VaultRoom } from '#server/chain/vaultRoom.ts';
import { deliveryPosting, lockPosting } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import type { OrderContext, VaultEvent } from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { asTradeOrder, type TradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import type { NewEvent } from '#server/domain/orders/lifecycle/transition.ts';
import {
  type Decided,
  type Decision,
  decided,
  PARK_FOR_CHAIN_MS,
  PARK_FOR_SIGNER_MS,
  park,
  type Write,
} from './decision.ts';
import type { FactsOf } from './facts.ts';
import { decideLock, type LockFact } from './lock.ts';

type DeliverFacts = FactsOf<LockFact | 'deliveredTo' | 'vaultRoom'>;

/** Between retries of a delivery that the chain rejected. */
const RETRY_MS = 5_000;

/** The vault's errors for a mint whose attestation is old or superseded. */
const UNATTESTED = new Set(['BackingStale', 'BackingExceeded', 'BelowFloor']);

/** The vault's errors after which an order can never be filled. */
const UNDELIVERABLE = new Set(['OrderExpired', 'MarketSettled']);

/** Temporary errors of the chain: a cap that is used up, a treasury that is short. */
const OUT_OF_ROOM = new Set([
  'BucketOverflow',
  'ERC20InsufficientAllowance',
  'ERC20InsufficientBalance',
]);

/**
 * Delivers on chain what the exchange filled: the attested backing (buys only) and the fill, which
 * the signers send once the backing is on chain. Failures are retried and reported; the input is
 * returned only once the vault can never fill the order, or no longer holds its input.
 */
export function decideDeliver(row: OrderRow, facts: DeliverFacts, now: Date): Decision {
  const order = asTradeOrder(row);
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
    if (isOutOfRoom(order, facts.vaultRoom, now))
      return { ...park('deliver', RETRY_MS), ...report };
  }
  const attest = UNATTESTED.has(failure) ? facts.context.operations.attest : undefined;
  const operations = [...(attest ? [nextOf(attest)] : []), nextOf(fill)];
  return { ...submit(operations, 'settlement_retried'), ...report };
}

/** Whether a delivery that failed for lack of room would fail again now. */
function isOutOfRoom(order: TradeOrder, room: VaultRoom, now: Date): boolean {
  const neededMicros = order.quoteUsdcMicros ?? 0n;
  if (order.tradeAction === 'buy') return neededMicros > roomOf(room.mint, room.at, now);
  return neededMicros > minMicros(roomOf(room.payout, room.at, now), room.fundsUsdcMicros);
}

/** Raised at the first failure: filled contracts must not wait unnoticed. */
function reportFailure(
  order: TradeOrder,
  { kind, attempt, failure }: Operation,
): Pick<Decided, 'writes' | 'log'> {
  const internalDetail = `${kind}, try ${attempt}: ${failure ?? 'unknown'} (${holdingOf(order)})`;
  const alert = { kind: 'delivery_failing', subject: order.id, internalDetail } as const;
  const details = { kind, attempt, failure };
  return {
    writes: [{ kind: 'raise_alert', alert }],
    log: { level: 'error', message: 'delivery failed on chain', details },
  };
}

function holdingOf({ tradeAction, side, ticker, ...filled }: TradeOrder): string {
  const contracts = formatMicros(filled.filledContractMicros ?? 0n);
  const usdc = formatMicros(filled.quoteUsdcMicros ?? 0n);
  const what = tradeAction === 'buy' ? 'bought' : 'sold';
  return `${what} ${contracts} ${side} of ${ticker} for ${usdc} USDC`;
}

function failureResolved({ id }: TradeOrder): Write {
  return { kind: 'resolve_alert', alert: { kind: 'delivery_failing', subject: id } };
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

/**
 * A receiver that refuses tokens or dollars does not block the order: they go to the account, or
 * stay claimable in the vault. The order's log records it.
 */
function refusalOf(
  order: TradeOrder,
  deliveredTo: string | null,
  transactionHash: string,
): NewEvent[] {
  if (deliveredTo === null || deliveredTo === order.receiverAddress) return [];
  const detail = deliveredTo === order.accountId ? 'delivered_to_account' : 'claimable';
  return [{ type: 'receiver_refused', detail, transactionHash }];
}

function hasFailed({ operations }: OrderContext): boolean {
  return [operations.attest, operations.fill].some(
    (operation) => operation && (operation.attempt > 1 || operation.state === 'failed'),
  );
}
