import { setTimeout as delay } from 'node:timers/promises';
import type { WorkPool } from './workPool.ts';

/** Between polls: what becomes due meanwhile is found, taken and carried together. */
const GATHER_MS = 20;
/** The same while much is found each time: then gathering more saves more than it delays. */
const BUSY_GATHER_MS = 60;
const MUCH = 8;

/**
 * Returns a function that polls for what is due and begins it, as much as the pool has room for.
 * Called during a poll, it has another one follow.
 * @param options.find returns the oldest of what is due, at most as many as asked for
 * @param options.onError is called with a poll's failure; the next one finds what it would have found
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
        // There may be more, for which there was no room.
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
