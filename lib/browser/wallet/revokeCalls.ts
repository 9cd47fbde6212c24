import { encodeFunctionData } from 'viem';
import type { Account } from '#lib/api/schemas/account.ts';
import { contractCallsAbi } from '#lib/contractCalls.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import type { WalletCall } from './sendCalls.ts';

/** The account's own call that revokes. */
export function revokeCall(account: Pick<Account, 'smartAccountAddress'>): WalletCall {
  return {
    to: account.smartAccountAddress as `0x${string}`,
    value: 0n,
    data: encodeFunctionData({ abi: contractCallsAbi, functionName: 'revoke' }),
  };
}

/**
 * The calls an owner sends to revoke the permission. They first create an account that is not on
 * chain yet, so that a signed but unrelayed grant can no longer take effect.
 */
export function revokeCalls(site: SiteConfig, account: Account): WalletCall[] {
  const revoke = revokeCall(account);
  if (account.deployed) return [revoke];
  const create: WalletCall = {
    to: site.contracts.accountFactory,
    value: 0n,
    data: encodeFunctionData({
      abi: contractCallsAbi,
      functionName: 'createAccount',
      args: [account.owner as `0x${string}`],
    }),
  };
  return [create, revoke];
}
