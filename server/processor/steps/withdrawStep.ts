import { type Address, isAddressEqual } from 'viem';
import { readAccountState, readBalances, readTokenBalance } from '#server/chain/accountReads.ts';
import type { Operation } from '#server/chain/operations/latest.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/lease.ts';
import { withdrawalPosting } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import { type OrderContext, readContext } from '#server/domain/orders/lifecycle/orderContext.ts';
import {
  endFailed,
  type Pause,
  type Transition,
} from '#server/domain/orders/lifecycle/transition.ts';
import { findWithdrawalEvent } from '#server/domain/transfers/store.ts';
import type { StepDeps } from '../runner/stepDeps.ts';
import { NOT_IN_RECEIPT } from '../signers/readReceipt.ts';
import { withdrawalFailureReason } from '../watchers/requestFailure.ts';
import { grantTransition } from './grantStep.ts';
import { onSecondLook, PARK_FOR_CHAIN_MS, type Step, type StepRun } from './step.ts';

/** What an account answers to a reference it has paid before. */
const KNOWN_TO_THE_ACCOUNT = 'RefUsed';

/** The first may only put the account on chain; the others are for a chain that forks meanwhile. */
const MAX_SIGNED_ATTEMPTS = 4;

/** Moves funds out of the account, under the owner's own signature or the owner's grant. */
export const withdrawStep: Step = async (deps, order, run) => {
  const facts = await readContext(deps.database, order);
  const operation = facts.operation('withdraw');
  if (operation?.state === 'succeeded') return withdrawn(order, operation.transactionHash);
  if (operation === undefined || operation.state === 'failed') {
    // Done by a transaction that the database has forgotten: the account pays a reference once.
    const seen = await findWithdrawalEvent(deps.database.orm, order.id);
    if (seen) return withdrawn(order, seen.transactionHash);
  }
  if (operation === undefined) return await beginWithdrawal(deps, order, facts, run);
  const transactionHash = operation.transactionHash ?? undefined;
  switch (operation.state) {
    case 'failed':
      if (operation.failure === KNOWN_TO_THE_ACCOUNT) {
        return { from: 'withdraw', next: { kind: 'park', delayMs: PARK_FOR_CHAIN_MS } };
      }
      if (isToBeRepeated(order, operation)) {
        return {
          from: 'withdraw',
          operations: [{ kind: 'withdraw', attempt: operation.attempt + 1, args: {} }],
          next: { kind: 'park', delayMs: PARK_FOR_CHAIN_MS },
        };
      }
      return endFailed('withdraw', withdrawalFailureReason(operation.failure), {
        set: { transactionHash: operation.transactionHash },
        events: [
          { type: 'withdrawal_refused', detail: operation.failure ?? undefined, transactionHash },
        ],
      });
    default:
      return { from: 'withdraw', next: { kind: 'park', delayMs: PARK_FOR_CHAIN_MS } };
  }
};

async function beginWithdrawal(
  deps: StepDeps,
  order: OrderRow,
  facts: OrderContext,
  run: StepRun,
): Promise<Transition | Pause> {
  if (order.cancelRequestedAt) return endFailed('withdraw', 'cancelled');
  if (facts.mayBeForgotten) return endFailed('withdraw', 'service_interrupted');
  const amountMicros = order.withdrawMicros ?? 0n;
  if ((await heldMicros(deps, order)) < amountMicros) {
    return onSecondLook(run, endFailed('withdraw', 'insufficient_funds'));
  }
  if (order.withdrawSignature !== null) {
    return isTooLate(order) ? endFailed('withdraw', 'signature_expired') : HAND_OVER;
  }
  const destination = order.destinationAddress as Address;
  const toOwner = isAddressEqual(destination, order.ownerAddress as Address);
  const need = { withdrawal: toOwner ? ('to_owner' as const) : { elsewhereMicros: amountMicros } };
  const state = await readAccountState(deps.chain, order.accountId as Address);
  const grant = await grantTransition(deps, order, need, state, facts);
  return grant ? onSecondLook(run, grant) : HAND_OVER;
}

const HAND_OVER: Transition = {
  from: 'withdraw',
  unlessCancelled: true,
  set: { status: 'executing' },
  stamp: ['balanceValidatedAt'],
  operations: [{ kind: 'withdraw', attempt: 1, args: {} }],
  events: [{ type: 'validated' }, { type: 'executing' }],
  next: { kind: 'park', delayMs: PARK_FOR_CHAIN_MS },
};

function isTooLate({ expiresAt }: OrderRow): boolean {
  return expiresAt !== null && expiresAt.getTime() <= Date.now();
}

/** A signed withdrawal whose transaction created the account, and did not pay yet. */
function isToBeRepeated(order: OrderRow, { failure, attempt }: Operation): boolean {
  return (
    order.withdrawSignature !== null &&
    failure === NOT_IN_RECEIPT.failure &&
    attempt < MAX_SIGNED_ATTEMPTS &&
    !isTooLate(order)
  );
}

async function heldMicros(deps: StepDeps, order: OrderRow): Promise<bigint> {
  const account = order.accountId as Address;
  if (order.withdrawTokenId !== null) {
    return await readTokenBalance(deps.chain, account, BigInt(order.withdrawTokenId));
  }
  return (await readBalances(deps.chain, account)).usdcMicros;
}

function withdrawn(order: OrderRow, hash: string | null): Transition {
  const transactionHash = hash ?? undefined;
  return {
    from: 'withdraw',
    set: {
      status: 'completed',
      stage: 'done',
      isComplete: true,
      transactionHash: hash,
    },
    stamp: ['completedAt', 'txnFilledAt'],
    events: [{ type: 'completed', transactionHash }],
    postings: [withdrawalPosting(order)],
    next: { kind: 'end' },
  };
}
