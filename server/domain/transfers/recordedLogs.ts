import type { RpcLog } from 'viem';
import type { ReceivedLogs } from './readBlocks.ts';

export type RecordedLogs = ReturnType<typeof createRecordedLogs>;

/** Longer than any block is read again; recording twice is harmless. */
const REMEMBERED_MS = 60_000;

/**
 * The logs of the newest blocks that this process has recorded. Each block is read several times,
 * since a node may omit logs at first; repeated logs then need neither decoding nor comparing with
 * the ledger.
 * @param now milliseconds of a monotonic clock
 */
export function createRecordedLogs(now: () => number = () => performance.now()) {
  const recorded = new Map<string, { text: string; at: number }>();
  let leftAt: string | undefined;

  function deleteOld(): void {
    const since = now() - REMEMBERED_MS;
    // Insertion order: the first is the oldest.
    for (const [hash, { at }] of recorded) {
      if (at > since) break;
      recorded.delete(hash);
    }
  }

  return {
    /** The logs of transactions that differ from what was recorded. */
    unknown(received: ReceivedLogs): ReceivedLogs {
      deleteOld();
      const texts = textsOf(received);
      const isUnknown = ({ transactionHash }: RpcLog) =>
        transactionHash === null ||
        recorded.get(transactionHash)?.text !== texts.get(transactionHash);
      return {
        usdc: received.usdc.filter(isUnknown),
        contracts: received.contracts.filter(isUnknown),
        accounts: received.accounts.filter(isUnknown),
      };
    },
    /** To call after the commit: the reader's position is this block. */
    note(received: ReceivedLogs, blockHash: string): void {
      const at = now();
      leftAt = blockHash;
      for (const [hash, text] of textsOf(received)) {
        recorded.delete(hash);
        recorded.set(hash, { text, at });
      }
    },
    /**
     * At any other block than the last one, another process has recorded or reversed transfers:
     * then all logs count as unknown.
     */
    resumeAt(blockHash: string): void {
      if (blockHash !== leftAt) recorded.clear();
    },
  };
}

/** By transaction, its logs and their blocks. */
function textsOf({ usdc, contracts, accounts }: ReceivedLogs): Map<string, string> {
  const places = new Map<string, Set<string>>();
  for (const { transactionHash, blockHash, logIndex } of [...usdc, ...contracts, ...accounts]) {
    if (transactionHash === null) continue;
    const known = places.get(transactionHash) ?? new Set();
    places.set(transactionHash, known.add(`${blockHash} ${logIndex}`));
  }
  return new Map([...places].map(([hash, of]) => [hash, [...of].sort().join()]));
}
