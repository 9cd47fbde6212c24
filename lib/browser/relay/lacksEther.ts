import type { Account } from '#lib/api/schemas/account.ts';

/** Less than any transaction on Base may cost. */
const LEAST_ETHER = 0.00002;

/** Whether the wallet cannot pay for a transaction. */
export function lacksEther({ balances }: Pick<Account, 'balances'>): boolean {
  return Number(balances.ownerNative) < LEAST_ETHER;
}
