import { encodeFunctionData } from 'viem';
import type { Account } from '#lib/api/schemas/account.ts';
import { contractCallsAbi } from '#lib/contractCalls.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import type { WalletCall } from './sendCalls.ts';

/**
 * What the owner sends to take the permission back. An account that is not on chain yet is created
 * first, so that a grant which was signed but not relayed can no longer take effect.
 */
export function revokeCalls(site: SiteConfig, account: Account): WalletCall[] {
  const revoke: WalletCall = {
    to: account.smartAccountAddress as `0x${string}`,
    value: 0n,
    data: encodeFunctionData({ abi: contractCallsAbi, functionName: 'revoke' }),
  };
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
