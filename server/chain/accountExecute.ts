import { type Address, encodeAbiParameters, encodeFunctionData, type Hex } from 'viem';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { ACCOUNT_BATCH } from '#lib/accountBatch.ts';

export type Call = { to: Address; value: bigint; data: Hex };

/** ERC-7821: a batch of calls, all or nothing, without extra authorisation data. */
const BATCH_MODE: Hex = `0x01${'00'.repeat(31)}`;

/** Calldata of `TradingAccount.execute` for a batch, to be sent by the owner. */
export function encodeAccountExecute(calls: readonly Call[]): Hex {
  return encodeFunctionData({
    abi: tradingAccountAbi,
    functionName: 'execute',
    args: [BATCH_MODE, encodeAbiParameters(ACCOUNT_BATCH, [calls])],
  });
}
