import { parseEther, type TransactionReceipt } from 'viem';
import type { ChainOperation } from '#server/chain/operations/store.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { countRevert, spendExcess } from './relayBudget.ts';

/** What the service reckoned when it took a message; stored with it. */
export type RelayFee = {
  feeUsdMicros: string;
  /** The price of ether at which fees count, in micro-dollars. */
  etherUsdMicros: string;
};

/** The fee of so much gas in micro-dollars, rounded up. */
export function relayFeeOf(gas: bigint, weiPerGas: bigint, etherUsdMicros: bigint): bigint {
  return (gas * weiPerGas * etherUsdMicros) / parseEther('1') + 1n;
}

/**
 * Books what relayed messages cost beyond their estimates, and those that had no effect, with the
 * receipt that shows it. A message that someone else sent first has its effect.
 */
export async function bookRelayFees(
  tx: Queryable,
  endings: readonly { operation: ChainOperation; outcome: { succeeded: boolean } }[],
  { gasUsed, effectiveGasPrice }: Pick<TransactionReceipt, 'gasUsed' | 'effectiveGasPrice'>,
): Promise<void> {
  for (const { operation, outcome } of endings) {
    const { kind, accountId, args } = operation;
    if (kind !== 'relay') continue;
    const { feeUsdMicros, etherUsdMicros } = args as RelayFee;
    const fee = relayFeeOf(gasUsed, effectiveGasPrice, BigInt(etherUsdMicros));
    await spendExcess(tx, accountId, fee - BigInt(feeUsdMicros));
    if (!outcome.succeeded) await countRevert(tx, accountId);
  }
}
