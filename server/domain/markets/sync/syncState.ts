import type { Database } from '#server/platform/database/client.ts';
import { readFullDone, readFullProgress } from './progress.ts';

/** How fresh the mirror of the exchange's listings is. Times are ISO 8601. */
export type SyncState = {
  /** Set while the whole list is being read: how far that came, and out of about how many. */
  underWay:
    | { begunAt: string; events: number; markets: number; ofMarkets: number | null }
    | undefined;
  /** The last reading of the whole list that came to its end. */
  lastFull: { begunAt: string; finishedAt: string; events: number; markets: number } | undefined;
};

export async function readSyncState(deps: { database: Database }): Promise<SyncState> {
  const [progress, done] = await Promise.all([
    readFullProgress(deps.database),
    readFullDone(deps.database),
  ]);
  return {
    underWay: progress && {
      begunAt: progress.begunAt,
      events: progress.events,
      markets: progress.markets,
      ofMarkets: done?.markets ?? null,
    },
    lastFull: done && {
      begunAt: done.begunAt,
      finishedAt: done.finishedAt,
      events: done.events,
      markets: done.markets,
    },
  };
}
