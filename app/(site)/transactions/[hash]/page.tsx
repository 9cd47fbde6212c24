import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { type Hash, isHash, parseEventLogs } from 'viem';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { Hex } from '#components/ui/Hex.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Section } from '#components/ui/Section.tsx';
import { outcomeTokenAbi } from '#contracts/abi/outcomeToken.ts';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { testUsdcAbi } from '#contracts/abi/testUsdc.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { getRuntime } from '#server/api/webRuntime.ts';

export const metadata: Metadata = { title: 'Transaction' };

/** A transaction of the sandbox's chain, read from the node: no explorer knows this chain. */
export default async function TransactionPage(props: { params: Promise<{ hash: string }> }) {
  const { hash } = await props.params;
  const transaction = isHash(hash) ? await readTransaction(hash) : undefined;
  if (!transaction) notFound();
  return (
    <div className="grid max-w-2xl gap-6">
      <header>
        <h1 className="font-semibold text-26 tracking-[-0.015em]">Transaction</h1>
        <p className="mt-1 break-all font-mono text-13 text-ink-2">{hash}</p>
      </header>
      <Figures className="sheet p-5">
        <Figure label="Result" strong>
          {transaction.succeeded ? 'Succeeded' : 'Reverted'}
        </Figure>
        <Figure label="Block">{transaction.blockNumber}</Figure>
        <Figure label="Time">
          <LocalTime at={transaction.at} />
        </Figure>
        <Figure label="From">
          <Hex value={transaction.from} name="sender" />
        </Figure>
        {transaction.to && (
          <Figure label="To">
            <Hex value={transaction.to} name="recipient" />
          </Figure>
        )}
        <Figure label="Gas used">{transaction.gasUsed}</Figure>
      </Figures>
      <Section id="events-heading" title="What happened">
        <ol className="sheet divide-y text-14">
          {transaction.events.map((event) => (
            <li key={event.index} className="px-4 py-3">
              <p className="font-medium">{event.name}</p>
              <p className="break-all text-13 text-ink-3">{event.detail}</p>
            </li>
          ))}
        </ol>
      </Section>
    </div>
  );
}

type TransactionView = {
  succeeded: boolean;
  blockNumber: string;
  at: string;
  from: string;
  to: string | null;
  gasUsed: string;
  events: { index: number; name: string; detail: string }[];
};

const ABI = [
  ...swapVaultAbi,
  ...settlementAbi,
  ...outcomeTokenAbi,
  ...testUsdcAbi,
  ...tradingAccountAbi,
];

async function readTransaction(hash: Hash): Promise<TransactionView | undefined> {
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
