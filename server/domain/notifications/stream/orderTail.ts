import type { Database } from '#server/platform/database/client.ts';
import {
  type FeedItem,
  latestSequence,
  listSequences,
  readFeedItems,
} from '../../orders/read/eventFeed.ts';
import { lazyInit } from './transferTail.ts';

const PAGE = 500;

/**
 * Sequence numbers are assigned before commit, so a lower one may appear after a higher one. Each
 * read starts this far back to find it.
 */
const LOOKBACK = 200n;

/**
 * The end of the orders' log: returns every entry once, including those that are committed late.
 */
export function createOrderTail(deps: { database: Database }) {
  let newest = 0n;
  let seen = new Set<bigint>();

  async function findEnd(): Promise<void> {
    newest = await latestSequence(deps);
    seen = new Set(await listSequences(deps, newest - LOOKBACK, PAGE));
  }

  const start = lazyInit(findEnd);

  return {
    /** Starts to collect; older entries have to be read from the log. */
    begin: start.begin,
    /** Stops collecting; the next entries are those after it begins again. */
    reset: start.reset,
    async next(): Promise<FeedItem[]> {
      await start.begin();
      const present = await listSequences(deps, newest - LOOKBACK, PAGE);
      const unseen = present.filter((sequence) => !seen.has(sequence));
      const fresh = await readFeedItems(deps, unseen);
      for (const sequence of unseen) {
        seen.add(sequence);
        if (sequence > newest) newest = sequence;
      }
      const horizon = newest - LOOKBACK;
      for (const sequence of seen) if (sequence <= horizon) seen.delete(sequence);
      return fresh;
    },
  };
}
