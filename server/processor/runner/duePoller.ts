import { setTimeout as delay } from 'node:timers/promises';
import type { WorkPool } from './workPool.ts';

/** Pause between polls: work that becomes due meanwhile is found, claimed and executed together. */
const GATHER_MS = 20;
/** The pause under load, when larger batches save more than they delay. */
const BUSY_GATHER_MS = 60;
const MUCH = 8;

/**
 * Returns a function that polls for due work and starts as much as the pool has room for. A call
 * during a poll causes another one afterwards.
 * @param options.find returns the oldest due work, up to the given limit
 * @param options.onError receives a poll's failure; the next poll finds the same work
 */
export function createDuePoller(options: {
  pool: WorkPool;
  find: (limit: number) => Promise<string[]>;
  onError: (error: unknown) => void;
  pause?: (milliseconds: number) => Promise<unknown>;
}): () => void {
  const { pool, find, onError, pause = delay } = options;
  let isWanted = false;
  let isUnderWay = false;

  async function pollWhileWanted(): Promise<void> {
    isUnderWay = true;
    try {
      while (isWanted) {
        await pool.room();
        isWanted = false;
        const limit = pool.free();
        const found = limit > 0 ? await find(limit) : [];
        for (const key of found) pool.start(key);
        await pause(found.length < MUCH ? GATHER_MS : BUSY_GATHER_MS);
        // A full result means that there may be more work.
        if (limit > 0 && found.length === limit) isWanted = true;
      }
    } catch (error) {
      onError(error);
    } finally {
      isUnderWay = false;
    }
  }

  return () => {
    isWanted = true;
    if (!isUnderWay) void pollWhileWanted();
  };
}
