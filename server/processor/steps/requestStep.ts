import type { Address, Hex } from 'viem';
import { type AccountSnapshot, readAccountSnapshot } from '#server/chain/accountSnapshot.ts';
import { isOrderDone } from '#server/chain/operations/effects.ts';
import { asTradeOrder, type TradeOrder } from '#server/domain/orders/lifecycle/chainOrder.ts';
import { lockPosting } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import {
  type OrderContext,
  readContext,
  type VaultEvent,
} from '#server/domain/orders/lifecycle/orderContext.ts';
import {
  endFailed,
  type NewAttempt,
  type Pause,
  type Transition,
} from '#server/domain/orders/lifecycle/transition.ts';
import { withTimeout } from '../../platform/withTimeout.ts';
import type { StepDeps } from '../runner/stepDeps.ts';
import { requestFailureReason } from '../watchers/requestFailure.ts';
import { LATE_REQUEST_MS } from './findLock.ts';
import { grantTransition } from './grantStep.ts';
import {
  onSecondLook,
  PARK_FOR_CHAIN_MS,
  PARK_FOR_SIGNER_MS,
  placingBudgetMs,
  type Step,
  type StepRun,
} from './step.ts';
import { storeAttempt } from './storeAttempt.ts';

/** An exchange that takes longer to say how a market stands does not keep the lock from being recorded. */
const PLACING_PATIENCE_MS = 1_000;

/** What the vault answers to an order it has had before: its event is there, or about to be read. */
const KNOWN_TO_THE_VAULT = 'BadStatus';

/**
 * Gets the input locked in the vault. An order that the service places is requested by one of our
 * operators under the owner's grant; one that the user sends is only watched for. Either way the
 * vault's event, and nothing else, says that the funds are locked.
 */
export const requestStep: Step = async (deps, row, run) => {
  const order = asTradeOrder(row);
  const facts = await readContext(deps.database, row);
  const requested = facts.event('requested');
  if (requested) {
    const locked = lockedTransition(order, requested);
    const placing = await placedAtOnce(deps, order, facts);
    if (!placing) return locked;
    run.unsent = { attempt: placing.attempt, facts, dueAt: row.nextRunAt };
    return lockedAndPlacing(locked, placing);
  }
  return order.kind === 'calldata'
    ? await awaitUser(deps, order)
    : await requestForUser(deps, order, facts, run);
};

/** Locked is locked: what the user has sent after cancelling goes back at once. */
function lockedTransition(order: TradeOrder, requested: VaultEvent): Transition {
  const { transactionHash } = requested;
  const isCancelled = order.cancelRequestedAt !== null;
  return {
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
  };
}

/**
 * That the exchange is about to be asked can be stored together with the lock, where nothing stands
 * against asking it. Everything else is looked at in its own step, once the lock is recorded.
 */
async function placedAtOnce(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderContext,
): Promise<Placing | undefined> {
  if (order.cancelRequestedAt !== null || facts.attempt || facts.mayBeForgotten) return undefined;
  const placing = storeAttempt(deps, order, facts, 1).then(
    ({ attempt, ...transition }) => attempt && { ...transition, attempt },
    () => undefined,
  );
  return await withTimeout(placing, PLACING_PATIENCE_MS);
}

type Placing = Transition & { attempt: NewAttempt };

/** Its log reads as if one had come after the other. */
function lockedAndPlacing(locked: Transition, placing: Placing): Transition {
  const before = (locked.events ?? []).map((event) => ({ ...event, status: locked.set?.status }));
  return {
    ...locked,
    // Who was told that the order is cancelled gets the funds back.
    unlessCancelled: true,
    set: { ...locked.set, ...placing.set },
    attempt: placing.attempt,
    events: [...before, ...(placing.events ?? [])],
  };
}

/**
 * A cancelled order need not wait: a wallet that sends it all the same makes a stray request, whose
 * funds are sent back as they would be from here.
 */
async function awaitUser(deps: StepDeps, order: TradeOrder): Promise<Transition> {
  const untilTooLateMs = order.expiresAt.getTime() + LATE_REQUEST_MS - Date.now();
  if (untilTooLateMs > 0 && order.cancelRequestedAt === null) {
    return { from: 'request', next: { kind: 'park', delayMs: untilTooLateMs } };
  }
  // After a long stop the logs are still being read: the vault knows already what they will say.
  if (await isOrderDone(deps.chain, order.chainOrderId as Hex, 'request')) {
    return { from: 'request', next: { kind: 'park', delayMs: PARK_FOR_CHAIN_MS } };
  }
  return endFailed('request', order.cancelRequestedAt ? 'cancelled' : 'not_submitted');
}

async function requestForUser(
  deps: StepDeps,
  order: TradeOrder,
  facts: OrderContext,
  run: StepRun,
): Promise<Transition | Pause> {
  const operation = facts.operation('request');
  if (operation?.state === 'failed' && operation.failure === KNOWN_TO_THE_VAULT) {
    return { from: 'request', next: { kind: 'park', delayMs: PARK_FOR_CHAIN_MS } };
  }
  if (operation?.state === 'failed') {
    return endFailed('request', requestFailureReason(operation.failure), {
      events: [
        {
          type: 'request_refused',
          detail: operation.failure ?? undefined,
          transactionHash: operation.transactionHash ?? undefined,
        },
      ],
    });
  }
  if (operation) return { from: 'request', next: { kind: 'park', delayMs: PARK_FOR_SIGNER_MS } };
  if (order.cancelRequestedAt) return endFailed('request', 'cancelled');
  if (facts.mayBeForgotten) {
    // It may have been cancelled, or have ended, in the time that was forgotten.
    return endFailed('request', 'service_interrupted');
  }
  if (order.expiresAt.getTime() - Date.now() < placingBudgetMs(deps)) {
    return endFailed('request', 'expired');
  }
  const standing = await readAccountSnapshot(deps.chain, order.accountId as Address, order);
  if (!holdsInput(standing, order)) {
    return onSecondLook(run, endFailed('request', 'insufficient_funds'));
  }
  const need = {
    orderUsdcMicros:
      order.tradeAction === 'buy' ? order.quoteLimitUsdcMicros : order.contractMicros,
  };
  const grant = await grantTransition(deps, order, need, standing, facts);
  if (grant) return onSecondLook(run, grant);
  return {
    from: 'request',
    unlessCancelled: true,
    operations: [{ kind: 'request', attempt: 1, args: {} }],
    events: [{ type: 'locking' }],
    next: { kind: 'park', delayMs: PARK_FOR_SIGNER_MS },
  };
}

function holdsInput(balances: AccountSnapshot, order: TradeOrder): boolean {
  return order.tradeAction === 'buy'
    ? balances.usdcMicros >= order.quoteLimitUsdcMicros
    : balances.contractMicros >= order.contractMicros;
}
