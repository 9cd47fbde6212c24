import { type GrantNeed, grantProblem } from '#server/domain/orders/lifecycle/grantProblem.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { endFailed } from '#server/domain/orders/lifecycle/transition.ts';
import { type Decision, decided, PARK_FOR_SIGNER_MS, park } from './decision.ts';
import type { FactsOf } from './facts.ts';

export type GrantFact = 'account' | 'recordedGrant' | 'isGrantUnderWay' | 'isGrantMarked';

/** Attempts to put one recorded grant on chain before the order fails. */
const MAX_GRANT_ATTEMPTS = 3;

/**
 * Ensures that the account has a grant on chain that covers the order. Decides what must happen
 * first; undefined when everything is in place. A signed grant that is not on chain yet goes first
 * even when the present one would do: it may be tighter.
 */
export function decideGrant(
  order: OrderRow,
  facts: FactsOf<GrantFact>,
  now: Date,
  need: GrantNeed,
): Decision | undefined {
  const { account, recordedGrant: recorded, settings } = facts;
  if (account === undefined) return { kind: 'need', fact: 'account' };
  if (recorded === undefined) return { kind: 'need', fact: 'recordedGrant' };
  if (recorded?.grant.nonce === account.nextGrantNonce) return relay(order, facts);
  const isTaken = recorded?.status === 'recorded' && recorded.grant.nonce < account.nextGrantNonce;
  if (isTaken && !facts.isGrantMarked) {
    return { kind: 'need', fact: 'isGrantMarked', nonce: recorded.grant.nonce };
  }
  const problem = grantProblem(account.grant, settings.vault, need, now);
  return problem && decided(endFailed(order.stage, problem));
}

function relay(order: OrderRow, { context, isGrantUnderWay }: FactsOf<GrantFact>): Decision {
  const operation = context.operations.grant;
  if (operation?.state === 'ready' || operation?.state === 'sent') {
    return park(order.stage, PARK_FOR_SIGNER_MS);
  }
  if (isGrantUnderWay === undefined) return { kind: 'need', fact: 'isGrantUnderWay' };
  // One transaction records it for all waiting orders of the account.
  if (isGrantUnderWay) return park(order.stage, PARK_FOR_SIGNER_MS);
  const attempt = (operation?.attempt ?? 0) + 1;
  if (attempt > MAX_GRANT_ATTEMPTS) {
    const events = [{ type: 'grant_refused', detail: operation?.failure ?? undefined }];
    return decided(endFailed(order.stage, 'grant_required', { events }));
  }
  return {
    ...park(order.stage, PARK_FOR_SIGNER_MS),
    operations: [{ kind: 'grant', attempt, args: {} }],
    events: attempt === 1 ? [{ type: 'preparing_account' }] : [],
  };
}
