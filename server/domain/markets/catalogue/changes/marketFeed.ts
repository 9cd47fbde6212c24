import { and, desc, gt, notInArray } from 'drizzle-orm';
import type { Database } from '#server/platform/database/client.ts';
import { marketChanges } from '#server/platform/database/schema/markets.ts';
import type { Log } from '#server/platform/log.ts';

/** Markets that were written; `everything` when they are not known one by one. */
export type MarketsChanged = readonly string[] | 'everything';

/** Follows what is written about markets, for those who keep answers about them. */
export type MarketFeed = {
  /**
   * Whether everything written up to a moment ago has been told. Asking starts the following, or
   * keeps it going; while it is false nothing that was kept may be used.
   */
  isCurrent(): boolean;
  /** Grows whenever anything was written. */
  version(): number;
  onChange(listener: (changed: MarketsChanged) => void): void;
  stop(): void;
};

type Change = { sequence: bigint; tickers: string[] | null };

/** What the feed asks of the database. */
export type ChangeReader = {
  /** Sequence numbers of the newest changes, newest first. */
  newest(count: number): Promise<bigint[]>;
  /** Changes after a number, without those already seen. */
  after(sequence: bigint, seen: readonly bigint[]): Promise<Change[]>;
};

export const READ_EVERY_MS = 200;
/** Older than this the feed is not current. */
const CURRENT_MS = 1_000;
/** Nobody asked for so long: it stops, and begins anew when somebody does. */
const IDLE_MS = 60_000;
/**
 * Sequence numbers are given before they are committed, so a lower one may show up after a higher
 * one. Looking this far back each time finds it.
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

  function tell(changed: MarketsChanged): void {
    version += 1;
    for (const listener of listeners) listener(changed);
  }

  async function begin(): Promise<void> {
    const known = await deps.reader.newest(Number(LOOKBACK));
    newest = known[0] ?? 0n;
    seen = new Set(known);
    tell('everything');
  }

  async function follow(from: bigint): Promise<void> {
    const changes = await deps.reader.after(from - LOOKBACK, [...seen]);
    for (const { sequence, tickers } of changes) {
      seen.add(sequence);
      if (newest === undefined || sequence > newest) newest = sequence;
      tell(tickers ?? 'everything');
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
      deps.log.debug({ err }, 'changes of markets not read, trying again');
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

/** Reads the changes that all processes note. */
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
