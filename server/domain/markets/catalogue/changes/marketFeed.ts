import { and, desc, gt, notInArray } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { marketChanges } from '#server/platform/database/schema/markets.ts';
import type { Log } from '#server/platform/log.ts';

/** Written markets; `everything` when they are not known individually. */
export type MarketsChanged = readonly string[] | 'everything';

/** Follows writes to markets, for caches of responses about them. */
export type MarketFeed = {
  /**
   * Whether every write up to a moment ago has been reported. A call starts the polling or keeps it
   * running; while it returns false, cached responses must not be used.
   */
  isCurrent(): boolean;
  /** Increases with every write. */
  version(): number;
  onChange(listener: (changed: MarketsChanged) => void): void;
  stop(): void;
};

type Change = { sequence: bigint; tickers: string[] | null };

/** The feed's reads of the database. */
export type ChangeReader = {
  /** Sequence numbers of the newest changes, newest first. */
  newest(count: number): Promise<bigint[]>;
  /** Changes after a number, without those already seen. */
  after(sequence: bigint, seen: readonly bigint[]): Promise<Change[]>;
};

export const READ_EVERY_MS = 200;
/** The feed is not current when its last read is older. */
const CURRENT_MS = 1_000;
/** Polling stops after this time without a call, and restarts with the next one. */
const IDLE_MS = 60_000;
/**
 * Sequence numbers are assigned before commit, so a lower number can appear after a higher one.
 * Each poll re-reads this many numbers to find it.
 */
const LOOKBACK = 50n;

export function createMarketFeed(deps: { reader: ChangeReader; log: Log }): MarketFeed {
  const listeners = new Set<(changed: MarketsChanged) => void>();
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  let newest: bigint | undefined;
  let seen = new Set<bigint>();
  let currentAt = Number.NEGATIVE_INFINITY;
  let askedAt = 0;
  let version = 0;

  function notify(changed: MarketsChanged): void {
    version += 1;
    for (const listener of listeners) listener(changed);
  }

  async function begin(): Promise<void> {
    const known = await deps.reader.newest(Number(LOOKBACK));
    newest = known[0] ?? 0n;
    seen = new Set(known);
    notify('everything');
  }

  async function follow(from: bigint): Promise<void> {
    const changes = await deps.reader.after(from - LOOKBACK, [...seen]);
    for (const { sequence, tickers } of changes) {
      seen.add(sequence);
      if (newest === undefined || sequence > newest) newest = sequence;
      notify(tickers ?? 'everything');
    }
    for (const sequence of seen) if (sequence <= (newest ?? 0n) - LOOKBACK) seen.delete(sequence);
  }

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    const begunAt = performance.now();
    try {
      await (newest === undefined ? begin() : follow(newest));
      currentAt = begunAt;
    } catch (err) {
      deps.log.debug({ err }, 'market changes not read, retrying');
    } finally {
      isReading = false;
    }
    if (performance.now() - askedAt > IDLE_MS) stop();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
    newest = undefined;
    currentAt = Number.NEGATIVE_INFINITY;
  }

  return {
    isCurrent() {
      askedAt = performance.now();
      if (timer === undefined) {
        timer = setInterval(() => void read(), READ_EVERY_MS);
        timer.unref();
        void read();
      }
      return askedAt - currentAt < CURRENT_MS;
    },
    version: () => version,
    onChange: (listener) => void listeners.add(listener),
    stop,
  };
}

/** Reads the changes that all processes record. */
export function changeReader(database: Database): ChangeReader {
  return {
    async newest(count) {
      const rows = await database.orm
        .select({ sequence: marketChanges.sequence })
        .from(marketChanges)
        .orderBy(desc(marketChanges.sequence))
        .limit(count);
      return rows.map((row) => row.sequence);
    },
    async after(sequence, seen) {
      return await database.orm
        .select({ sequence: marketChanges.sequence, tickers: marketChanges.tickers })
        .from(marketChanges)
        .where(
          and(
            gt(marketChanges.sequence, sequence),
            seen.length === 0 ? undefined : notInArray(marketChanges.sequence, [...seen]),
          ),
        )
        .orderBy(marketChanges.sequence);
    },
  };
}
