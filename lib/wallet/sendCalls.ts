import {
  getCapabilities,
  getConnection,
  sendCalls,
  sendTransaction,
  waitForCallsStatus,
  waitForTransactionReceipt,
} from 'wagmi/actions';
import type { WalletEngine } from './engine.ts';
import { toWalletError, WalletError } from './errors.ts';

export type WalletCall = { to: `0x${string}`; value: bigint; data: `0x${string}` };

/** How far a list of calls has come; `total` is 1 when the wallet takes them as one. */
export type SendProgress = { sent: number; total: number; waiting: 'wallet' | 'chain' };

/** The hash of the transaction that carried the last call; unknown for some batching wallets. */
export type SentCalls = { transactionHash: `0x${string}` | undefined; atomic: boolean };

/**
 * Sends calls from the connected wallet: as one atomic batch where the wallet can (EIP-5792), else
 * one after the other, each confirmed before the next. A call that reverts ends it.
 *
 * @throws {WalletError}
 */
export async function sendCallsInOrder(
  engine: WalletEngine,
  calls: WalletCall[],
  onProgress: (progress: SendProgress) => void,
): Promise<SentCalls> {
  try {
    if (calls.length > 1 && (await canBatch(engine)))
      return await sendBatch(engine, calls, onProgress);
    return await sendOneByOne(engine, calls, onProgress);
  } catch (error) {
    throw toWalletError(error);
  }
}

async function canBatch(engine: WalletEngine): Promise<boolean> {
  const { address } = getConnection(engine.wagmi);
  // A wallet without the method is a wallet that cannot batch.
  const capabilities = await getCapabilities(engine.wagmi, {
    account: address,
    chainId: engine.chainId,
  }).catch(() => undefined);
  const status = capabilities?.atomic?.status;
  return status === 'supported' || status === 'ready';
}

async function sendBatch(
  engine: WalletEngine,
  calls: WalletCall[],
  onProgress: (progress: SendProgress) => void,
): Promise<SentCalls> {
  onProgress({ sent: 0, total: 1, waiting: 'wallet' });
  const { id } = await sendCalls(engine.wagmi, {
    calls,
    chainId: engine.chainId,
    forceAtomic: true,
  });
  onProgress({ sent: 0, total: 1, waiting: 'chain' });
  const result = await waitForCallsStatus(engine.wagmi, { id, timeout: 120_000 });
  if (result.status !== 'success') {
    throw new WalletError('reverted', 'The chain refused the transaction. No money has moved.');
  }
  return { transactionHash: result.receipts?.at(-1)?.transactionHash, atomic: true };
}

async function sendOneByOne(
  engine: WalletEngine,
  calls: WalletCall[],
  onProgress: (progress: SendProgress) => void,
): Promise<SentCalls> {
  let transactionHash: `0x${string}` | undefined;
  for (const [sent, call] of calls.entries()) {
    onProgress({ sent, total: calls.length, waiting: 'wallet' });
    transactionHash = await sendTransaction(engine.wagmi, { ...call, chainId: engine.chainId });
    onProgress({ sent, total: calls.length, waiting: 'chain' });
    const receipt = await waitForTransactionReceipt(engine.wagmi, {
      hash: transactionHash,
      chainId: engine.chainId,
      timeout: 120_000,
    });
    if (receipt.status !== 'success') throw revertedAt(sent, calls.length);
  }
  return { transactionHash, atomic: false };
}

function revertedAt(index: number, total: number): WalletError {
  const before =
    index === 0 ? 'Nothing before it was sent.' : `The ${index} before it went through.`;
  return new WalletError(
    'reverted',
    `The chain refused transaction ${index + 1} of ${total}. ${before}`,
  );
}
