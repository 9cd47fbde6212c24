import { setTimeout as delay } from 'node:timers/promises';
import type { WorkPool } from './workPool.ts';

/** Between looks: what becomes due meanwhile is found, taken and carried together. */
export const GATHER_MS = 20;
/** The same while much is found each time: then it costs nobody more than it saves everybody. */
const BUSY_GATHER_MS = 60;
const MUCH = 8;

/**
 * Answers a function that looks for what is due and begins it, as much as the pool has room for.
 * Called while a look is under way, it sees to another one.
 * @param options.find answers the oldest of what is due, at most as many as asked for
 * @param options.onError hears of a look that failed; the next one sees what it would have seen
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

  async function lookWhileWanted(): Promise<void> {
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
    if (!isUnderWay) void lookWhileWanted();
  };
}
