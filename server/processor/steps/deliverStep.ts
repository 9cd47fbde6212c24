import { outcomeTokenId } from '#lib/outcomeToken.ts';
import type { Operation } from '#server/chain/operations/latest.ts';
import {
  type ChainOperation,
  type NewOperation,
  withdrawReady,
} from '#server/chain/operations/store.ts';
import { findProceeds } from '#server/chain/saleProceeds.ts';
import { asTradeOrder, type TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import { deliveryPosting, lockPosting } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import {
  findDelivery,
  type OrderContext,
  readContext,
  type VaultEvent,
} from '#server/domain/orders/lifecycle/orderContext.ts';
import type { NewEvent, Transition } from '#server/domain/orders/lifecycle/transition.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import type { StepDeps } from '../runner/stepDeps.ts';
import { deliveryOf, submit } from './beginDelivery.ts';
import { isOutOfRoom, reportDelivered, reportEnded, reportFailure } from './deliveryTrouble.ts';
import { findLock } from './findLock.ts';
import { PARK_FOR_CHAIN_MS, PARK_FOR_SIGNER_MS, type Step } from './step.ts';

/** Between tries of a settlement that the chain refused: it must succeed, so it is never given up. */
const RETRY_MS = 5_000;

/** What the vault answers to a mint until there is another attestation: this one is old or overtaken. */
const UNATTESTED = new Set(['BackingStale', 'BackingExceeded', 'BelowFloor']);

/** Answers of the vault after which an order can never be filled. */
const UNDELIVERABLE = new Set(['OrderExpired', 'MarketSettled']);

/**
 * Delivers on chain what the exchange filled: the attested backing (buys only) and the fill, which
 * the signers send once the backing is there. From here on there is no way back to a refund;
 * failures are retried and reported.
 */
export const deliverStep: Step = async (deps, row) => {
  const order = asTradeOrder(row);
  const facts = await readContext(deps.database, row);
  const filled = facts.event('filled');
  if (filled) {
    const write = reportDelivered(deps, order, facts);
    const completed = completedTransition(order, filled, await refusalOf(deps, order, filled));
    return { ...completed, ...(write && { write }) };
  }
  if (facts.event('refunded')) return giveBack(deps, order, facts);
  const lock = await findLock(deps, order, facts);
  if (lock !== 'stands') {
    return lock === 'awaited' ? parkFor(PARK_FOR_CHAIN_MS) : giveBack(deps, order, facts);
  }
  const fill = facts.operation('fill');
  if (order.tradeAction === 'buy') {
    const attest = facts.operation('attest');
    if (attest === undefined) return submit(deliveryOf(order), 'settling');
    if (attest.state === 'failed') {
      const write = reportFailure(deps, order, attest);
      return { ...submit([nextOf(attest)], 'settlement_retried'), write };
    }
    if (attest.state !== 'succeeded') return parkFor(PARK_FOR_SIGNER_MS);
  }
  if (fill === undefined) {
    // The first thing of a sale; before a purchase's, the attestation was begun.
    const event = order.tradeAction === 'sell' ? 'settling' : undefined;
    return submit([{ kind: 'fill', attempt: 1, args: {} }], event);
  }
  return fill.state === 'failed'
    ? await afterFailedFill(deps, order, facts, fill)
    : parkFor(PARK_FOR_SIGNER_MS);
};

async function afterFailedFill(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderContext,
  fill: Operation,
): Promise<Transition> {
  const failure = fill.failure ?? '';
  if (UNDELIVERABLE.has(failure)) return giveBack(deps, order, facts);
  const write = reportFailure(deps, order, fill);
  // Past its expiry it is tried all the same: the vault's answer is what ends it.
  const isInTime = order.expiresAt.getTime() > Date.now();
  if (isInTime && (await isOutOfRoom(deps, order, fill))) return { ...parkFor(RETRY_MS), write };
  const attest = UNATTESTED.has(failure) ? facts.operation('attest') : undefined;
  const operations = [...(attest ? [nextOf(attest)] : []), nextOf(fill)];
  return { ...submit(operations, 'settlement_retried'), write };
}

function nextOf({ kind, attempt }: Pick<ChainOperation, 'kind' | 'attempt'>): NewOperation {
  return { kind, attempt: attempt + 1, args: { notBeforeMs: RETRY_MS } };
}

/** The user gets everything back; what was bought meanwhile is the house's, which trades it back. */
function giveBack(deps: StepDeps, order: TradeOrder, facts: OrderContext): Transition {
  const report = reportEnded(deps, order);
  return {
    from: 'deliver',
    write: async (tx: Queryable) => {
      if (facts.operation('fill')?.state === 'ready') await withdrawReady(tx, order.id, 'fill');
      await report(tx);
    },
    set: { stage: 'refund', endingReason: 'settled_too_late' },
    events: [{ type: 'returning', detail: 'settled_too_late' }],
    next: { kind: 'continue' },
  };
}

function parkFor(delayMs: number): Transition {
  return { from: 'deliver', next: { kind: 'park', delayMs } };
}

/**
 * A receiver that refuses tokens or dollars cannot hold the order up: they go to the account, or wait
 * in the vault until somebody claims them for it. The log of the order says so.
 */
async function refusalOf(
  deps: StepDeps,
  order: TradeOrder,
  filled: VaultEvent,
): Promise<NewEvent[]> {
  const receiver =
    order.tradeAction === 'sell'
      ? await findProceeds(deps.chain, filled)
      : await findDelivery(deps.database, filled, outcomeTokenId(order.ticker, order.side));
  if (receiver === undefined || receiver === order.receiverAddress) return [];
  const { transactionHash } = filled;
  const detail = receiver === order.accountId ? 'delivered_to_account' : 'claimable';
  return [{ type: 'receiver_refused', detail, transactionHash }];
}

function completedTransition(
  order: TradeOrder,
  filled: VaultEvent,
  before: NewEvent[],
): Transition {
  return {
    from: 'deliver',
    set: {
      status: 'completed',
      stage: 'done',
      isComplete: true,
      transactionHash: filled.transactionHash,
    },
    stamp: ['completedAt'],
    events: [...before, { type: 'completed', transactionHash: filled.transactionHash }],
    // A fork may have taken the lock back meanwhile; posted twice it is one posting.
    postings: [lockPosting(order), deliveryPosting(order, filled)],
    next: { kind: 'end' },
  };
}
