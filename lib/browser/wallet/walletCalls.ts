import type { CalldataTransaction } from '#lib/api/schemas/order.ts';
import type { WalletCall } from './sendCalls.ts';

/** The transactions of a response as calls of a wallet. */
export function walletCallsOf(transactions: readonly CalldataTransaction[]): WalletCall[] {
  return transactions.map(({ to, value, data }) => ({
    to: to as `0x${string}`,
    value: BigInt(value),
    data: data as `0x${string}`,
  }));
}
