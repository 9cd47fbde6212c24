import { outcomeTokenId } from '#lib/outcomeToken.ts';
import {
  type ChainOperation,
  type NewOperation,
  withdrawReady,
} from '#server/chain/operations/store.ts';
import { findProceeds } from '#server/chain/saleProceeds.ts';
import type { Queryable } from '#server/db/client.ts';
import { settleLeg } from '#server/orders/chainLegs.ts';
import { asTradeOrder, type TradeOrder } from '#server/orders/chainOrder.ts';
import { findDelivery, type OrderFacts, readFacts, type VaultEvent } from '#server/orders/facts.ts';
import type { NewEvent, Transition } from '#server/orders/transition.ts';
import type { StepDeps } from '../stepDeps.ts';
import { deliveryOf, submit } from './beginDelivery.ts';
import { findLock } from './findLock.ts';
import { PARK_FOR_CHAIN_MS, PARK_FOR_SIGNER_MS, type Step } from './step.ts';

/** Between tries of a settlement that the chain refused: it must succeed, so it is never given up. */
const RETRY_MS = 5_000;

/** Answers of the vault after which an order can never be filled. */
const UNDELIVERABLE = new Set(['OrderExpired', 'MarketSettled']);

/**
 * Delivers on chain what the exchange filled: the attested backing (buys only) and the fill, which
 * the signers send once the backing is there. From here on there is no way back to a refund;
 * failures are retried and reported.
 */
export const settleStep: Step = async (deps, row) => {
  const order = asTradeOrder(row);
  const facts = await readFacts(deps.database, row);
  const filled = facts.event('filled');
  if (filled) return completedTransition(order, filled, await refusalOf(deps, order, filled));
  if (facts.event('refunded')) return giveBack(order, facts);
  const lock = await findLock(deps, order, facts);
  if (lock !== 'stands') {
    return lock === 'awaited' ? parkFor(PARK_FOR_CHAIN_MS) : giveBack(order, facts);
  }
  const fill = facts.operation('fill');
  if (order.tradeAction === 'buy') {
    const attest = facts.operation('attest');
    if (attest === undefined) return submit(deliveryOf(order), 'settling');
    if (attest.state === 'failed') {
      deps.log.error({ intentId: order.id, failure: attest.failure }, 'attestation failed');
      return submit([nextOf(attest)], 'settlement_retried');
    }
    if (attest.state !== 'succeeded') return parkFor(PARK_FOR_SIGNER_MS);
  }
  if (fill === undefined) {
    // The first thing of a sale; before a purchase's, the attestation was begun.
    const event = order.tradeAction === 'sell' ? 'settling' : undefined;
    return submit([{ kind: 'fill', attempt: 1, args: {} }], event);
  }
  if (fill.state === 'failed') {
    if (fill.failure !== null && UNDELIVERABLE.has(fill.failure)) return giveBack(order, facts);
    deps.log.error({ intentId: order.id, failure: fill.failure }, 'settlement failed on chain');
    return submit([nextOf(fill)], 'settlement_retried');
  }
  return parkFor(PARK_FOR_SIGNER_MS);
};

function nextOf({ kind, attempt }: Pick<ChainOperation, 'kind' | 'attempt'>): NewOperation {
  return { kind, attempt: attempt + 1, args: { notBeforeMs: RETRY_MS } };
}

/** The user gets everything back; what was bought meanwhile is the house's, which trades it back. */
function giveBack(order: TradeOrder, facts: OrderFacts): Transition {
  return {
    from: 'settle',
    ...(facts.operation('fill')?.state === 'ready'
      ? { write: (tx: Queryable) => withdrawReady(tx, order.id, 'fill') }
      : {}),
    set: { stage: 'refund', endingReason: 'settled_too_late' },
    events: [{ type: 'returning', detail: 'settled_too_late' }],
    next: { kind: 'continue' },
  };
}

function parkFor(delayMs: number): Transition {
  return { from: 'settle', next: { kind: 'park', delayMs } };
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
    from: 'settle',
    set: {
      status: 'completed',
      stage: 'done',
      isComplete: true,
      transactionHash: filled.transactionHash,
    },
    stamp: ['completedAt'],
    events: [...before, { type: 'completed', transactionHash: filled.transactionHash }],
    legs: [settleLeg(order, filled)],
    next: { kind: 'end' },
  };
}
