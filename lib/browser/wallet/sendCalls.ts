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
import { PASSKEY_CONNECTOR } from './passkey/connectorName.ts';
import { withWalletTimeout } from './walletTimeout.ts';

export type WalletCall = { to: `0x${string}`; value: bigint; data: `0x${string}` };

/** The account the calls belong to: the wallet may have switched since. */
export type WalletBatch = { from: `0x${string}`; calls: WalletCall[] };

/** Progress through a list of calls; `total` is 1 when the wallet takes them as one batch. */
export type SendProgress = {
  sent: number;
  total: number;
  waiting: 'wallet' | 'chain';
  /** All calls in one batch. */
  isAtomic?: boolean;
};

/** The hash of the transaction with the last call; unknown for some batching wallets. */
export type SentCalls = { transactionHash: `0x${string}` | undefined; atomic: boolean };

/**
 * Sends calls from the connected wallet: as one atomic batch if the wallet supports it (EIP-5792),
 * else one after the other, each confirmed before the next. A reverted call stops the list;
 * `startAt` resumes after the calls that succeeded.
 *
 * @throws {WalletError} also when the wallet has another account than the sender
 */
export async function sendCallsInOrder(
  engine: WalletEngine,
  batch: WalletBatch,
  onProgress: (progress: SendProgress) => void,
  startAt = 0,
): Promise<SentCalls> {
  try {
    // A passkey sends batches only, also of a single call.
    const isPasskey = getConnection(engine.wagmi).connector?.id === PASSKEY_CONNECTOR;
    const isBatch = batch.calls.length > 1 || isPasskey;
    if (startAt === 0 && isBatch && (await canBatch(engine, batch.from)))
      return await sendBatch(engine, batch, onProgress);
    return await sendOneByOne(engine, batch, onProgress, startAt);
  } catch (error) {
    throw toWalletError(error);
  }
}

/** Whether the wallet takes several calls as one (EIP-5792). */
export async function canBatch(engine: WalletEngine, from: `0x${string}`): Promise<boolean> {
  // A wallet without the method cannot batch.
  const capabilities = await withWalletTimeout(
    getCapabilities(engine.wagmi, { account: from, chainId: engine.chainId }),
  ).catch(() => undefined);
  const status = capabilities?.atomic?.status;
  return status === 'supported' || status === 'ready';
}

async function sendBatch(
  engine: WalletEngine,
  { from, calls }: WalletBatch,
  onProgress: (progress: SendProgress) => void,
): Promise<SentCalls> {
  onProgress({ sent: 0, total: 1, waiting: 'wallet', isAtomic: true });
  const { id } = await withWalletTimeout(
    sendCalls(engine.wagmi, {
      account: from,
      calls,
      chainId: engine.chainId,
      forceAtomic: true,
    }),
  );
  onProgress({ sent: 0, total: 1, waiting: 'chain', isAtomic: true });
  const result = await waitForCallsStatus(engine.wagmi, { id, timeout: 120_000 });
  if (result.status !== 'success') {
    throw new WalletError('reverted', REVERTED);
  }
  return { transactionHash: result.receipts?.at(-1)?.transactionHash, atomic: true };
}

async function sendOneByOne(
  engine: WalletEngine,
  { from, calls }: WalletBatch,
  onProgress: (progress: SendProgress) => void,
  startAt: number,
): Promise<SentCalls> {
  let transactionHash: `0x${string}` | undefined;
  for (const [sent, call] of calls.entries()) {
    if (sent < startAt) continue;
    try {
      onProgress({ sent, total: calls.length, waiting: 'wallet' });
      transactionHash = await withWalletTimeout(
        sendTransaction(engine.wagmi, { ...call, account: from, chainId: engine.chainId }),
      );
      onProgress({ sent, total: calls.length, waiting: 'chain' });
      const receipt = await waitForTransactionReceipt(engine.wagmi, {
        hash: transactionHash,
        chainId: engine.chainId,
        timeout: 120_000,
      });
      if (receipt.status !== 'success') throw new WalletError('reverted', REVERTED);
    } catch (error) {
      throw afterSome(toWalletError(error), sent, calls.length);
    }
    onProgress({ sent: sent + 1, total: calls.length, waiting: 'wallet' });
  }
  return { transactionHash, atomic: false };
}

const REVERTED = 'Transaction reverted. No funds moved.';

/** Returns how much of a list succeeded before it stopped; those calls need not be sent again. */
function afterSome(error: WalletError, sent: number, total: number): WalletError {
  if (sent === 0) return error;
  const [first = error.message] = error.message.split('. ');
  return new WalletError(
    error.problem,
    `${first.replace(/\.$/, '')}. ${sent} of ${total} transactions went through. Try again to send the rest.`,
    { cause: error },
  );
}
