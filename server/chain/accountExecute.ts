import { type Address, encodeAbiParameters, type Hex } from 'viem';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { encodeCall } from '#contracts/encodeCall.ts';
import { ACCOUNT_BATCH, BATCH_MODE } from '#lib/accountBatch.ts';

export type Call = { to: Address; value: bigint; data: Hex };

/** Calldata of `TradingAccount.execute` for a batch, to be sent by the owner. */
export function encodeAccountExecute(calls: readonly Call[]): Hex {
  const batch = encodeAbiParameters(ACCOUNT_BATCH, [calls]);
  return encodeCall(tradingAccountAbi, 'execute', [BATCH_MODE, batch]);
}
