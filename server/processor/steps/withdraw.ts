import { type Address, isAddressEqual } from 'viem';
import type { Operation } from '#server/chain/operations/latest.ts';
import { withdrawalPosting } from '#server/domain/orders/lifecycle/ledgerPostings.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { endFailed } from '#server/domain/orders/lifecycle/transition.ts';
import {
  confirmEnd,
  type Decided,
  type Decision,
  decided,
  PARK_FOR_CHAIN_MS,
  park,
  refusedEvent,
} from './decision.ts';
import type { FactsOf } from './facts.ts';
import { NOT_IN_RECEIPT, withdrawalFailureReason } from './failureReasons.ts';
import { decideGrant, type GrantFact } from './grant.ts';

type WithdrawFacts = FactsOf<GrantFact | 'withdrawnIn' | 'heldMicros'>;

/** The account's error for a reference it has already paid. */
const KNOWN_TO_THE_ACCOUNT = 'RefUsed';

/** The first may only deploy the account; the others allow for forks meanwhile. */
const MAX_ATTEMPTS = 4;

/** Moves funds out of the account, under the owner's own signature or the owner's grant. */
export function decideWithdraw(order: OrderRow, facts: WithdrawFacts, now: Date): Decision {
  const operation = facts.context.operations.withdraw;
  if (operation?.state === 'succeeded') return withdrawn(order, operation.transactionHash);
  if (operation !== undefined && operation.state !== 'failed') {
    return park('withdraw', PARK_FOR_CHAIN_MS);
  }
  // A transaction that a restore lost may have paid it: the account pays a reference once.
  if (facts.withdrawnIn === undefined) return { kind: 'need', fact: 'withdrawnIn' };
  if (facts.withdrawnIn !== null) return withdrawn(order, facts.withdrawnIn);
  return operation === undefined
    ? beginWithdrawal(order, facts, now)
    : afterFailure(order, facts, now, operation);
}

function afterFailure(
  order: OrderRow,
  facts: WithdrawFacts,
  now: Date,
  operation: Operation,
): Decision {
  const { failure, attempt, transactionHash } = operation;
  if (failure === KNOWN_TO_THE_ACCOUNT) return park('withdraw', PARK_FOR_CHAIN_MS);
  // The account had no code: the transaction deployed it, or a fork had removed it.
  const isWithoutEffect = failure === NOT_IN_RECEIPT && attempt < MAX_ATTEMPTS;
  if (isWithoutEffect && !isTooLate(order, now)) {
    const operations = [{ kind: 'withdraw' as const, attempt: attempt + 1, args: {} }];
    return (
      decidePermission(order, facts, now) ?? { ...park('withdraw', PARK_FOR_CHAIN_MS), operations }
    );
  }
  const events = [refusedEvent('withdrawal_refused', operation)];
  const more = { set: { transactionHash }, events };
  return decided(endFailed('withdraw', withdrawalFailureReason(failure), more));
}

function beginWithdrawal(order: OrderRow, facts: WithdrawFacts, now: Date): Decision {
  if (order.cancelRequestedAt) return decided(endFailed('withdraw', 'cancelled'));
  if (facts.context.mayPredateRestore) return decided(endFailed('withdraw', 'service_interrupted'));
  const amountMicros = order.withdrawMicros ?? 0n;
  if (facts.heldMicros === undefined) return { kind: 'need', fact: 'heldMicros' };
  if (facts.heldMicros < amountMicros) {
    return confirmEnd(facts, decided(endFailed('withdraw', 'insufficient_funds')));
  }
  if (isTooLate(order, now)) return decided(endFailed('withdraw', 'signature_expired'));
  return decidePermission(order, facts, now) ?? SUBMIT;
}

/** What must happen before the account pays; undefined when its owner has permitted it. */
function decidePermission(order: OrderRow, facts: WithdrawFacts, now: Date): Decision | undefined {
  if (order.withdrawSignature !== null) return undefined;
  const destination = order.destinationAddress as Address;
  const isToOwner = isAddressEqual(destination, order.ownerAddress as Address);
  const elsewhereMicros = order.withdrawMicros ?? 0n;
  const withdrawal = isToOwner ? 'to_owner' : { elsewhereMicros };
  const grant = decideGrant(order, facts, now, { withdrawal });
  return grant && confirmEnd(facts, grant);
}

const SUBMIT: Decided = {
  ...park('withdraw', PARK_FOR_CHAIN_MS),
  unlessCancelled: true,
  set: { status: 'executing' },
  stamp: ['balanceValidatedAt'],
  operations: [{ kind: 'withdraw', attempt: 1, args: {} }],
  events: [{ type: 'validated' }, { type: 'executing' }],
};

/** Only a signature has a deadline. */
function isTooLate({ expiresAt, withdrawSignature }: OrderRow, now: Date): boolean {
  return withdrawSignature !== null && expiresAt !== null && expiresAt <= now;
}

function withdrawn(order: OrderRow, transactionHash: string | null): Decided {
  return decided({
    from: 'withdraw',
    set: { status: 'completed', stage: 'done', isComplete: true, transactionHash },
    stamp: ['completedAt', 'txnFilledAt'],
    events: [{ type: 'completed', transactionHash: transactionHash ?? undefined }],
    postings: [withdrawalPosting(order)],
    next: { kind: 'end' },
  });
}
