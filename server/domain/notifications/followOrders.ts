import { eq, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/platform/database/client.ts';
import { notificationCursor } from '#server/platform/database/schema/notifications.ts';
import { type FeedItem, latestSequence, readFeed } from '../orders/read/eventFeed.ts';

const PAGE = 500;
const CURSOR = 'orders';

type Cursor = typeof notificationCursor.$inferSelect;

export type OrderFollower = {
  /** Whether any target exists; without one the log is passed over. */
  hasTargets(tx: Queryable): Promise<boolean>;
  /** Entries may come again: none may make a second message. */
  publishPage(tx: Queryable, items: readonly FeedItem[]): Promise<number>;
};

/**
 * Passes new entries of the orders' log to a follower. One processor does so at a time. Each step
 * is one transaction, so message and position are stored atomically and a crash changes neither.
 *
 * Sequence numbers are assigned before commit, so a lower number can appear after a higher one. The
 * position therefore advances to a mark only after every transaction that ran when the mark was set
 * has ended. Until then the entries behind the mark are read again, and the follower deduplicates
 * them.
 *
 * @returns how many deliveries resulted; undefined when another process holds the lock
 */
export async function followOrders(
  database: Database,
  follower: OrderFollower,
): Promise<number | undefined> {
  return await database.orm.transaction(async (tx) => {
    const lock = await tx.execute<{ held: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended('publish orders', 0)) as held`,
    );
    if (lock.rows[0]?.held !== true) return undefined;
    const cursor = await readCursor(tx);
    const oldestRunning = await oldestRunningTransaction(tx);
    const feed = { database: { orm: tx } };
    if (!(await follower.hasTargets(tx))) {
      await advanceCursor(tx, cursor, await latestSequence(feed), oldestRunning);
      return 0;
    }
    let newest = cursor.position;
    let made = 0;
    for (;;) {
      const items = await readFeed(feed, newest, PAGE);
      made += await follower.publishPage(tx, items);
      newest = items.at(-1)?.sequence ?? newest;
      if (items.length < PAGE) break;
    }
    await advanceCursor(tx, cursor, newest, oldestRunning);
    return made;
  });
}

async function readCursor(tx: Queryable): Promise<Cursor> {
  const [found] = await tx
    .select()
    .from(notificationCursor)
    .where(eq(notificationCursor.name, CURSOR));
  if (found) return found;
  const position = await latestSequence({ database: { orm: tx } });
  const [begun] = await tx
    .insert(notificationCursor)
    .values({ name: CURSOR, position })
    .returning();
  if (!begun) throw new Error('the place in the log was not stored');
  return begun;
}

/** Every transaction older than this id has ended and, if committed, is visible. */
async function oldestRunningTransaction(tx: Queryable): Promise<bigint> {
  const found = await tx.execute<{ id: string }>(
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text as id`,
  );
  return BigInt(found.rows[0]?.id ?? '0');
}

async function advanceCursor(
  tx: Queryable,
  { mark, markTransaction, ...cursor }: Cursor,
  newest: bigint,
  oldestRunning: bigint,
): Promise<void> {
  const hasEnded = markTransaction !== null && oldestRunning >= BigInt(markTransaction);
  if (mark !== null && !hasEnded) return;
  const position = mark ?? cursor.position;
  if (mark === null && newest === position) return;
  await tx
    .update(notificationCursor)
    .set({
      position,
      // Assigned after reading the log: any lower number belongs to an earlier transaction.
      ...(newest > position
        ? { mark: newest, markTransaction: sql`pg_current_xact_id()::text` }
        : { mark: null, markTransaction: null }),
    })
    .where(eq(notificationCursor.name, cursor.name));
}
