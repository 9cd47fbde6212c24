import { maxMicros, minMicros } from '#lib/money.ts';

/**
 * Minimum number of blocks to read again, since a node's response about its newest blocks may have
 * gaps.
 */
const OVERLAP = 24n;
/** The same for a new reader. */
const FIRST_OVERLAP = 256n;
/** Blocks first read within `AGAIN_FOR_MS` are read again this often. */
const AGAIN_EVERY_MS = 2_000;
const AGAIN_FOR_MS = 20_000;

/**
 * Determines the first block of each read of the chain's logs. A node that has a block may still
 * lack some of its logs, so no response is final at once: what was new in one read is part of the
 * next, and then of one every two seconds for twenty seconds, for any number of blocks.
 */
export type Rereading = {
  /** The first block to read at the position `current`, at most `atMost` blocks back. */
  firstBlock(current: bigint, atMost: bigint): bigint;
  /** Blocks up to `to` are read; those after `newAfter` for the first time. */
  recordReading(reading: { newAfter: bigint; to: bigint }): void;
  /** The newest block was reached: from now on a short overlap is enough. */
  recordEnd(): void;
  /** Whether to read again without a new block. */
  isDue(): boolean;
};

/** @param now milliseconds of a monotonic clock */
export function createRereading(now: () => number = () => performance.now()): Rereading {
  let overlap = FIRST_OVERLAP;
  /** Blocks after which logs were new, with the time, newest first. */
  let fresh: { after: bigint; at: number }[] = [];
  let readAt = now();
  let readAllAt = readAt;
  let isReadingAll = false;
  return {
    firstBlock(current, atMost) {
      const at = now();
      fresh = fresh.filter((news) => at - news.at < AGAIN_FOR_MS);
      isReadingAll = at - readAllAt >= AGAIN_EVERY_MS;
      const again = isReadingAll ? fresh : fresh.slice(0, 1);
      const oldest = again.reduce((first, { after }) => minMicros(first, after), current - overlap);
      return maxMicros(maxMicros(oldest, current - atMost), 0n) + 1n;
    },
    recordReading({ newAfter, to }) {
      readAt = now();
      if (isReadingAll) readAllAt = readAt;
      if (to > newAfter) fresh.unshift({ after: newAfter, at: readAt });
    },
    recordEnd() {
      overlap = OVERLAP;
    },
    isDue() {
      const at = now();
      const [newest] = fresh;
      return newest !== undefined && at - newest.at < AGAIN_FOR_MS && at - readAt >= AGAIN_EVERY_MS;
    },
  };
}
