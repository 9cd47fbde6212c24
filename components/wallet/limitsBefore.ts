import { type GrantLimits, limitsOf } from '#lib/account/grantLimits.ts';
import type { Account } from '#lib/api/schemas/account.ts';

/** What was permitted before, also where that is over: nothing wider is offered in its place. */
export function limitsBefore(account: Account | undefined): GrantLimits | undefined {
  return account?.grant ? limitsOf(account.grant) : undefined;
}
