import type { Log } from 'viem';

/** Which logs this process has stored a moment ago: the newest blocks are read over and over. */
export type LogMemory = {
  /** Those that were not. */
  unknown(logs: readonly Log[]): Log[];
  /** They are stored, and committed. */
  note(logs: readonly Log[]): void;
  /** Something that was stored has been forgotten. */
  clear(): void;
};

/**
 * Less than what lies between two readings of everything that is still new: what another process
 * has forgotten meanwhile, because the chain had, is stored again by the next of them.
 */
const REMEMBERED_MS = 1_500;

/** @param now milliseconds of a clock that never goes back */
export function createLogMemory(now: () => number = () => performance.now()): LogMemory {
  const storedAt = new Map<string, number>();
  return {
    unknown(logs) {
      const since = now() - REMEMBERED_MS;
      // The first in is the oldest.
      for (const [key, at] of storedAt) {
        if (at > since) break;
        storedAt.delete(key);
      }
      return logs.filter((log) => !storedAt.has(keyOf(log)));
    },
    note(logs) {
      const at = now();
      for (const log of logs) storedAt.set(keyOf(log), at);
    },
    clear: () => storedAt.clear(),
  };
}

/** The same log in another block is another one. */
function keyOf({ blockHash, transactionHash, logIndex }: Log): string {
  return `${blockHash} ${transactionHash} ${logIndex}`;
}
