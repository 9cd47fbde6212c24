import type { RpcLog } from 'viem';
import type { ReceivedLogs } from './readBlocks.ts';

/**
 * What this process has booked of the newest blocks. They are read over and over, since a node may
 * keep part of them back at first; mostly it tells the same again, which then need not be decoded
 * and compared with the books.
 */
export type BookedLogs = {
  /** The logs of those transactions of which anything else is told than when they were booked. */
  unknown(told: ReceivedLogs): ReceivedLogs;
  /** They are booked, and committed: reading stands at this block. */
  note(told: ReceivedLogs, blockHash: string): void;
  /**
   * Where reading goes on. Elsewhere than it was left, somebody else has booked meanwhile or
   * something was taken back: then nothing counts as booked.
   */
  goOnFrom(blockHash: string): void;
};

/** Longer than anything is read again for; what is booked twice does no harm. */
const REMEMBERED_MS = 60_000;

/** @param now milliseconds of a clock that never goes back */
export function createBookedLogs(now: () => number = () => performance.now()): BookedLogs {
  const booked = new Map<string, { text: string; at: number }>();
  let leftAt: string | undefined;

  function deleteOld(): void {
    const since = now() - REMEMBERED_MS;
    // The first in is the oldest.
    for (const [hash, { at }] of booked) {
      if (at > since) break;
      booked.delete(hash);
    }
  }

  return {
    unknown(told) {
      deleteOld();
      const texts = textsOf(told);
      const isUnknown = ({ transactionHash }: RpcLog) =>
        transactionHash === null ||
        booked.get(transactionHash)?.text !== texts.get(transactionHash);
      return {
        usdc: told.usdc.filter(isUnknown),
        contracts: told.contracts.filter(isUnknown),
        withdrawn: told.withdrawn.filter(isUnknown),
      };
    },
    note(told, blockHash) {
      const at = now();
      leftAt = blockHash;
      for (const [hash, text] of textsOf(told)) {
        booked.delete(hash);
        booked.set(hash, { text, at });
      }
    },
    goOnFrom(blockHash) {
      if (blockHash !== leftAt) booked.clear();
    },
  };
}

/** Of each transaction, which logs of which block are told. */
function textsOf({ usdc, contracts, withdrawn }: ReceivedLogs): Map<string, string> {
  const places = new Map<string, Set<string>>();
  for (const { transactionHash, blockHash, logIndex } of [...usdc, ...contracts, ...withdrawn]) {
    if (transactionHash === null) continue;
    const known = places.get(transactionHash) ?? new Set();
    places.set(transactionHash, known.add(`${blockHash} ${logIndex}`));
  }
  return new Map([...places].map(([hash, of]) => [hash, [...of].sort().join()]));
}
