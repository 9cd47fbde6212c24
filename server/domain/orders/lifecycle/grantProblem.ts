import { type Address, isAddressEqual } from 'viem';
import { namesSessionKey } from '#lib/account/sessionKey.ts';
import type { AccountGrant } from '#server/chain/accountReads.ts';
import type { TerminationReason } from './terminationReasons.ts';

/** What an order or a withdrawal requires of a grant. */
export type GrantNeed =
  | {
      orderUsdcMicros: bigint;
      /** Whether a session key's signature comes with it; the account checks whose it is. */
      isSigned: boolean;
    }
  | { withdrawal: 'to_owner' | { elsewhereMicros: bigint } };

/** Why a grant does not cover what is needed; undefined when it does. */
export function grantProblem(
  grant: AccountGrant | undefined,
  vault: Address,
  need: GrantNeed,
  now: Date,
): TerminationReason | undefined {
  if (grant === undefined || !isAddressEqual(grant.operator, vault)) return 'grant_required';
  if (grant.validUntil * 1000n <= BigInt(now.getTime())) return 'grant_expired';
  if ('orderUsdcMicros' in need) {
    if (namesSessionKey(grant) && !need.isSigned) return 'order_not_signed';
    return need.orderUsdcMicros > grant.maxPerOrder ? 'grant_exceeded' : undefined;
  }
  if (need.withdrawal === 'to_owner') return undefined;
  if (!grant.withdrawAnywhere) return 'withdrawal_not_allowed';
  return need.withdrawal.elsewhereMicros > grant.maxWithdrawPerDay
    ? 'withdrawal_not_allowed'
    : undefined;
}
