import { encodeFunctionData, erc20Abi } from 'viem';
import type { Account } from '#lib/api/schemas/account.ts';
import type { WalletCall } from './sendCalls.ts';

/** The calls an owner sends to move USDC from the wallet to their smart account. */
export function depositCalls(
  usdc: `0x${string}`,
  account: Pick<Account, 'smartAccountAddress'>,
  micros: bigint,
): WalletCall[] {
  return [
    {
      to: usdc,
      value: 0n,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [account.smartAccountAddress as `0x${string}`, micros],
      }),
    },
  ];
}
