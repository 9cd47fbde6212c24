import { type Hash, parseEventLogs } from 'viem';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { getRuntime } from '#server/api/webRuntime.ts';

export type TransactionView = {
  succeeded: boolean;
  blockNumber: string;
  at: string;
  from: string;
  to: string | null;
  gasUsed: string;
  events: { index: number; name: string; detail: string }[];
};

const ABI = [...swapVaultAbi, ...outcomeTokenAbi, ...testUsdcAbi, ...tradingAccountAbi];

export async function readTransaction(hash: Hash): Promise<TransactionView | undefined> {
  const { client } = (await getRuntime()).chain;
  const receipt = await client.getTransactionReceipt({ hash }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError')
      return undefined;
    throw error;
  });
  if (!receipt) return undefined;
  const block = await client.getBlock({ blockNumber: receipt.blockNumber });
  return {
    succeeded: receipt.status === 'success',
    blockNumber: receipt.blockNumber.toString(),
    at: new Date(Number(block.timestamp) * 1_000).toISOString(),
    from: receipt.from,
    to: receipt.to,
    gasUsed: receipt.gasUsed.toString(),
    events: parseEventLogs({ abi: ABI, logs: receipt.logs }).map((log) => ({
      index: log.logIndex,
      name: log.eventName,
      detail: JSON.stringify(log.args, (_, value: unknown) =>
        typeof value === 'bigint' ? value.toString() : value,
      ),
    })),
  };
}
