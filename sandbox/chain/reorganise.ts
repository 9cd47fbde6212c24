import { setTimeout as delay } from 'node:timers/promises';
import { type Address, type Hex, isAddressEqual } from 'viem';
import { requestChain } from './rpcCall.ts';
import type { JournalEntry } from './transactionJournal.ts';
import { untilIdle } from './untilIdle.ts';

type Removed = { hash: Hex; from: Address; raw: Hex };

const MINED_WITHIN_MS = 2_000;
const POLL_MS = 10;

/**
 * Replaces the last `depth` blocks. Their transactions are mined again on the new branch in the
 * same order, as other nodes' pools would ensure; those of the senders in `drop` are lost until
 * sent again. Balances set by control are set again. Nothing may be sent to the chain meanwhile: a
 * block mined in between would break both branches.
 * @returns how many transactions moved and how many were dropped
 */
export async function reorganise(
  chainUrl: string,
  options: {
    depth: number;
    drop: readonly Address[];
    balances: readonly JournalEntry[];
    isMiningHeld: boolean;
  },
): Promise<{ moved: number; dropped: number }> {
  if (!options.isMiningHeld) await untilIdle(chainUrl, MINED_WITHIN_MS);
  const head = Number(await requestChain(chainUrl, 'eth_blockNumber'));
  if (options.depth < 1 || options.depth >= head) {
    throw new RangeError(`a chain of ${head} blocks cannot go back by ${options.depth}`);
  }
  const removed = await readTransactions(chainUrl, head - options.depth + 1, head);
  await requestChain(chainUrl, 'anvil_reorg', [options.depth, []]);
  for (const entry of options.balances) await requestChain(chainUrl, entry.method, entry.params);
  let moved = 0;
  for (const transaction of removed) {
    if (options.drop.some((sender) => isAddressEqual(sender, transaction.from))) continue;
    await mineAgain(chainUrl, transaction);
    moved += 1;
  }
  return { moved, dropped: removed.length - moved };
}

async function readTransactions(chainUrl: string, from: number, to: number): Promise<Removed[]> {
  const removed: Removed[] = [];
  for (let number = from; number <= to; number += 1) {
    const block = (await requestChain(chainUrl, 'eth_getBlockByNumber', [
      `0x${number.toString(16)}`,
      true,
    ])) as { transactions: { hash: Hex; from: Address }[] };
    for (const { hash, from } of block.transactions) {
      const raw = (await requestChain(chainUrl, 'eth_getRawTransactionByHash', [hash])) as Hex;
      removed.push({ hash, from, raw });
    }
  }
  return removed;
}

/** A transaction that waits for a dropped nonce stays in the pool, as on any node. */
async function mineAgain(chainUrl: string, transaction: Removed): Promise<void> {
  await requestChain(chainUrl, 'eth_sendRawTransaction', [transaction.raw]).catch(() => undefined);
  const until = Date.now() + MINED_WITHIN_MS;
  while (Date.now() < until) {
    if (await requestChain(chainUrl, 'eth_getTransactionReceipt', [transaction.hash])) return;
    const pool = (await requestChain(chainUrl, 'txpool_status')) as { pending: Hex };
    if (BigInt(pool.pending) === 0n) return;
    await delay(POLL_MS);
  }
}
