import { type Address, encodeAbiParameters, encodeFunctionData, type Hex } from 'viem';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { ACCOUNT_BATCH, BATCH_MODE } from '#lib/accountBatch.ts';

export type Call = { to: Address; value: bigint; data: Hex };

/** Calldata of `TradingAccount.execute` for a batch, to be sent by the owner. */
export function encodeAccountExecute(calls: readonly Call[]): Hex {
  return encodeFunctionData({
    abi: tradingAccountAbi,
    functionName: 'execute',
    args: [BATCH_MODE, encodeAbiParameters(ACCOUNT_BATCH, [calls])],
  });
}
