import type { Database } from '#server/platform/database/client.ts';
import { readFullDone, readFullProgress } from './progress.ts';

/** The freshness of the mirror of the exchange's listings. Times are ISO 8601. */
export type SyncState = {
  /** Set during a full read: its progress, and the estimated total. */
  underWay:
    | { begunAt: string; events: number; markets: number; ofMarkets: number | null }
    | undefined;
  /** The last completed full read. */
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
