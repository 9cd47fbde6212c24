import { type Address, isAddressEqual } from 'viem';
import type { AccountGrant, AccountState } from '#server/chain/accountReads.ts';
import { getRecordedGrant, markGrantRelayed } from '#server/domain/accounts/grants.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/lease.ts';
import {
  isGrantUnderWay,
  type OrderContext,
} from '#server/domain/orders/lifecycle/orderContext.ts';
import type { TerminationReason } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import { endFailed, type Transition } from '#server/domain/orders/lifecycle/transition.ts';
import type { StepDeps } from '../runner/stepDeps.ts';
import { PARK_FOR_SIGNER_MS } from './step.ts';

/** What an intent needs the owner to have permitted. */
export type GrantNeed =
  | { orderUsdcMicros: bigint }
  | { withdrawal: 'to_owner' | { elsewhereMicros: bigint } };

/** Tries of putting one recorded grant on chain before the intent is given up. */
const MAX_GRANT_ATTEMPTS = 3;
/**
 * Sees to it that the account stands on chain with a grant that covers the intent. Answers what
 * must happen first, or undefined when everything is in place. A grant that the owner has signed
 * and we have not yet relayed goes first even when the present one would do: it may be tighter.
 * @param state the account as it stands on chain now
 */
export async function grantTransition(
  deps: StepDeps,
  order: OrderRow,
  need: GrantNeed,
  state: AccountState,
  facts: OrderContext,
): Promise<Transition | undefined> {
  const recorded = await getRecordedGrant(deps, order.accountId);
  if (recorded && recorded.grant.nonce === state.nextGrantNonce) {
    return await relay(deps, order, facts);
  }
  if (recorded?.status === 'recorded' && recorded.grant.nonce < state.nextGrantNonce) {
    await markGrantRelayed(deps, order.accountId, recorded.grant.nonce);
  }
  const problem = grantProblem(state.grant, deps.chain.contracts.swapVault, need);
  return problem ? endFailed(order.stage, problem) : undefined;
}

async function relay(deps: StepDeps, order: OrderRow, facts: OrderContext): Promise<Transition> {
  const operation = facts.operation('grant');
  if (operation?.state === 'ready' || operation?.state === 'sent') {
    return { from: order.stage, next: { kind: 'park', delayMs: PARK_FOR_SIGNER_MS } };
  }
  // One transaction records it for all intents of the account that are waiting for it.
  if (await isGrantUnderWay(deps.database, order.accountId)) {
    return { from: order.stage, next: { kind: 'park', delayMs: PARK_FOR_SIGNER_MS } };
  }
  const attempt = (operation?.attempt ?? 0) + 1;
  if (attempt > MAX_GRANT_ATTEMPTS) {
    return endFailed(order.stage, 'grant_required', {
      events: [{ type: 'grant_refused', detail: operation?.failure ?? undefined }],
    });
  }
  return {
    from: order.stage,
    operations: [{ kind: 'grant', attempt, args: {} }],
    events: attempt === 1 ? [{ type: 'preparing_account' }] : [],
    next: { kind: 'park', delayMs: PARK_FOR_SIGNER_MS },
  };
}

/** Why a grant does not cover what is needed; undefined when it does. */
export function grantProblem(
  grant: AccountGrant | undefined,
  vault: Address,
  need: GrantNeed,
): TerminationReason | undefined {
  if (grant === undefined || !isAddressEqual(grant.operator, vault)) return 'grant_required';
  if (grant.validUntil * 1000n <= BigInt(Date.now())) return 'grant_expired';
  if ('orderUsdcMicros' in need) {
    return need.orderUsdcMicros > grant.maxPerOrder ? 'grant_exceeded' : undefined;
  }
  if (need.withdrawal === 'to_owner') return undefined;
  if (!grant.withdrawAnywhere) return 'withdrawal_not_allowed';
  return need.withdrawal.elsewhereMicros > grant.maxWithdrawPerDay
    ? 'withdrawal_not_allowed'
    : undefined;
}
