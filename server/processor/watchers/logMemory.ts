import type { Log } from 'viem';

export type LogMemory = ReturnType<typeof createLogMemory>;

/**
 * Less than the interval between full reads of recent blocks: logs that another process deleted
 * meanwhile, because of a fork, are stored again by the next of them.
 */
const REMEMBERED_MS = 1_500;

/**
 * The logs that this process has stored recently: the newest blocks are read repeatedly.
 * @param now milliseconds of a monotonic clock
 */
export function createLogMemory(now: () => number = () => performance.now()) {
  const storedAt = new Map<string, number>();
  return {
    /** The logs among these that were not stored recently. */
    unknown(logs: readonly Log[]): Log[] {
      const since = now() - REMEMBERED_MS;
      // Insertion order: the first is the oldest.
      for (const [key, at] of storedAt) {
        if (at > since) break;
        storedAt.delete(key);
      }
      return logs.filter((log) => !storedAt.has(keyOf(log)));
    },
    /** To call after the commit. */
    note(logs: readonly Log[]): void {
      const at = now();
      for (const log of logs) storedAt.set(keyOf(log), at);
    },
    /** To call when stored logs have been deleted. */
    clear: () => storedAt.clear(),
  };
}

/** The same log in another block is a different one. */
function keyOf({ blockHash, transactionHash, logIndex }: Log): string {
  return `${blockHash} ${transactionHash} ${logIndex}`;
}
