import { parseEther } from 'viem';
import { type FeeReceipt, paidWei } from '#server/chain/dataFee.ts';
import type { ChainOperation } from '#server/chain/operations/store.ts';
import type { Queryable } from '#server/platform/database/client.ts';
import { countRevert, spendExcess } from './relayBudget.ts';

/** What the service reckoned when it took a message; stored with it. */
export type RelayFee = {
  feeUsdMicros: string;
  /** The price of ether at which fees count, in micro-dollars. */
  etherUsdMicros: string;
};

/** A fee in micro-dollars, rounded up. */
export function relayFeeOf(wei: bigint, etherUsdMicros: bigint): bigint {
  return (wei * etherUsdMicros) / parseEther('1') + 1n;
}

/**
 * Books what relayed messages cost beyond their estimates, and those that had no effect, with the
 * receipt that shows it. A message that someone else sent first has its effect.
 */
export async function bookRelayFees(
  tx: Queryable,
  endings: readonly { operation: ChainOperation; outcome: { succeeded: boolean } }[],
  receipt: FeeReceipt,
): Promise<void> {
  for (const { operation, outcome } of endings) {
    const { kind, accountId, args } = operation;
    if (kind !== 'relay') continue;
    const { feeUsdMicros, etherUsdMicros } = args as RelayFee;
    const fee = relayFeeOf(paidWei(receipt), BigInt(etherUsdMicros));
    await spendExcess(tx, accountId, fee - BigInt(feeUsdMicros));
    if (!outcome.succeeded) await countRevert(tx, accountId);
  }
}
