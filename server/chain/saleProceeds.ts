import { type Address, erc20Abi, type Hex, isAddressEqual, type Log, parseEventLogs } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import type { Chain } from './client.ts';

/** Where the USDC of a sale went: an address, or nobody's yet because every receiver refused it. */
export type Proceeds = Address | 'claimable';

/**
 * Reads from the transaction to whom the vault paid a sale. It pays right before it logs the fill,
 * so among a batch's it is the last payment before.
 * @returns undefined when the node has no such transaction (any more)
 */
export async function findProceeds(
  chain: Chain,
  filled: { transactionHash: string; logIndex: number },
): Promise<Proceeds | undefined> {
  const hash = filled.transactionHash as Hex;
  const receipt = await chain.client.getTransactionReceipt({ hash }).catch(() => undefined);
  return receipt && readProceeds(chain.contracts, receipt.logs, filled.logIndex);
}

export function readProceeds(
  contracts: { swapVault: Address; usdc: Address },
  logs: Log[],
  beforeLogIndex: number,
): Proceeds | undefined {
  const { swapVault, usdc } = contracts;
  const before = logs.filter((log) => (log.logIndex ?? Number.POSITIVE_INFINITY) < beforeLogIndex);
  const of = (address: Address) => before.filter((log) => isAddressEqual(log.address, address));
  const paid = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: of(usdc) })
    .filter(({ args }) => isAddressEqual(args.from, swapVault))
    .map((log): [number, Proceeds] => [log.logIndex ?? 0, log.args.to]);
  const credited = parseEventLogs({
    abi: swapVaultAbi,
    eventName: 'Credited',
    logs: of(swapVault),
  });
  const all = [
    ...paid,
    ...credited.map((log): [number, Proceeds] => [log.logIndex ?? 0, 'claimable']),
  ];
  return all.sort(([a], [b]) => a - b).at(-1)?.[1];
}
